import type { Clock } from '../../../../base/system/clock.ts';
import { sourceOfTable } from '../../../../definitions/sources/source.ts';
import { type ServedTable, type TableReference, tableName } from '../tables/served-table.ts';
import { GoogleError } from '../wire/google-error.ts';

const lifetimeMs = 60_000;

/**
 * The insert ids of streamed rows, for a minute.
 *
 * Source: https://cloud.google.com/bigquery/docs/streaming-data-into-bigquery#dataconsistency ("at least one minute")
 */
class InsertIds {
  /** The time of each id, oldest first. */
  readonly #times = new Map<string, number>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Those of a table. */
  of(table: string): SeenIds {
    const now = this.#clock.now();
    for (const [key, time] of this.#times) {
      if (now - time < lifetimeMs) break;
      this.#times.delete(key);
    }
    const keyOf = (insertId: string) => `${table} ${insertId}`;
    return {
      take: (insertId) => {
        const key = keyOf(insertId);
        if (this.#times.has(key)) return false;
        this.#times.set(key, now);
        return true;
      },
      forget: (insertId) => void this.#times.delete(keyOf(insertId)),
    };
  }
}

/** A valid row: its id, if it has one, and its line of NDJSON. */
interface StreamedRow {
  readonly insertId: string | undefined;
  readonly line: string;
}

/** Adds streamed rows to the store. */
export class Streaming {
  readonly #addRows: (source: string, ndjson: string) => Promise<void>;
  readonly #insertIds: InsertIds;
  #last: Promise<unknown> = Promise.resolve();

  constructor(addRows: (source: string, ndjson: string) => Promise<void>, clock: Pick<Clock, 'now'>) {
    this.#addRows = addRows;
    this.#insertIds = new InsertIds(clock);
  }

  /**
   * Adds rows to a table, except those whose insert id it has seen. One request after the other: a repeated one must
   * not be answered before the first is in the store.
   *
   * @param table its name in BigQuery, for the insert ids
   * @param source the source with its rows
   */
  add(table: string, source: string, rows: readonly StreamedRow[]): Promise<void> {
    const added = this.#last.then(async () => {
      const seen = this.#insertIds.of(table);
      const fresh = rows.filter(({ insertId }) => insertId === undefined || seen.take(insertId));
      try {
        if (fresh.length > 0) await this.#addRows(source, fresh.map(({ line }) => line).join('\n'));
      } catch (error) {
        for (const { insertId } of fresh) if (insertId !== undefined) seen.forget(insertId);
        throw error;
      }
    });
    this.#last = added.catch(() => {});
    return added;
  }
}

interface SeenIds {
  /** Returns whether the id is new, and remembers it. */
  take(insertId: string): boolean;
  forget(insertId: string): void;
}

/** The table that streamed rows go to. */
interface TargetTable {
  readonly table: ServedTable;
  /** The table's name, for a table of a day with the day. */
  readonly name: string;
  /** The day of a wildcard table, `2026-01-31`. */
  readonly day?: string;
}

/**
 * Finds the table with a name. That of a day belongs to a wildcard table; it exists for each day, as does its template.
 *
 * @param templateSuffix appended to the name of a template
 * @throws GoogleError notFound
 */
export function targetTable(
  tables: readonly ServedTable[],
  reference: TableReference,
  templateSuffix: string,
): TargetTable {
  const tableId = `${reference.tableId}${templateSuffix}`;
  const name = tableName({ ...reference, tableId });
  for (const table of tables) {
    if (table.projectId !== reference.projectId || table.datasetId !== reference.datasetId) continue;
    const { name: base, isWildcard } = sourceOfTable(table.tableId);
    if (!isWildcard && templateSuffix === '' && table.tableId === tableId) return { table, name };
    const [, year, month, day] = /^_(\d{4})(\d\d)(\d\d)$/.exec(tableId.slice(base.length)) ?? [];
    if (isWildcard && tableId.startsWith(base) && year !== undefined) {
      return { table, name, day: `${year}-${month}-${day}` };
    }
  }
  throw GoogleError.notFound(`Table ${name}`);
}
