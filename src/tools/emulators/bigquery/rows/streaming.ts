import type { Clock } from '../../../../base/clock/clock.ts';

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
