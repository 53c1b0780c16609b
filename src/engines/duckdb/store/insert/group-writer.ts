import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import type { Source } from '../../../../definitions/sources/source.ts';
import { literalSql } from '../../dialect/literal.ts';
import type { ListTables } from '../tables/list-tables.ts';
import { flatTable, type RowTable, rowTables, wholeRows } from '../tables/row-table.ts';
import { type FlatRows, type FlatValues, flatInsert, nullMark, valueSeparator } from './flat-batch.ts';
import type { IngestBatch, IngestCounts } from './ingest-batch.ts';
import type { WholeRows } from './row-batch.ts';
import { idsOf } from './row-keys.ts';
import { StagedTable } from './staged-table.ts';
import { type TimeRange, timeRanges } from './time-ranges.ts';

/** Kept INSERTs: one for each source and set of columns with values. Preparing takes as long as adding fifty rows. */
const maxStatements = 32;

/** Adds the rows of many small requests to the tables, in the transaction of its connection. */
export class GroupWriter {
  readonly connection: DuckDBConnection;
  readonly #listTables: ListTables;
  readonly #statements = new LRUCache<string, DuckDBPreparedStatement>({
    max: maxStatements,
    dispose: (statement) => statement.destroySync(),
  });

  private constructor(connection: DuckDBConnection, listTables: ListTables) {
    this.connection = connection;
    this.#listTables = listTables;
  }

  static async create(instance: DuckDBInstance, listTables: ListTables): Promise<GroupWriter> {
    return new GroupWriter(await instance.connect(), listTables);
  }

  /** Adds all rows whose ids are new. Returns the counts of each batch. */
  async add(batches: readonly IngestBatch[]): Promise<IngestCounts[]> {
    const counts = new Map<IngestBatch, IngestCounts>();
    for (const [source, own] of Map.groupBy(batches, (batch) => batch.source))
      for (const [batch, count] of await this.#addTo(source, own)) counts.set(batch, count);
    return batches.map((batch) => counts.get(batch) ?? { imported: 0, duplicates: 0 });
  }

  /** Closes the connection. */
  close(): void {
    this.#statements.clear();
    this.connection.closeSync();
  }

  async #addTo(
    source: Source,
    batches: readonly IngestBatch[],
  ): Promise<ReadonlyMap<IngestBatch, IngestCounts>> {
    const keyed = batches.map((batch) => ({
      batch,
      parts: batch.rows.map((rows) => ({ rows, ids: idsOf(source, rows) })),
    }));
    const tables = this.#listTables.isFlatOnly(source.name) ? [flatTable(source)] : rowTables(source);
    const given = keyed.flatMap(({ batch, parts }) => [
      ...parts.flatMap(({ ids }) => ids),
      ...(batch.formerIds?.values() ?? []),
    ]);
    const taken = new Set(await knownIds(this.connection, tables, given, timeRanges(batches)));
    const flat: FlatPart[] = [];
    const whole: string[] = [];
    const counts = new Map<IngestBatch, IngestCounts>();
    for (const { batch, parts } of keyed) {
      let duplicates = 0;
      let all = 0;
      for (const { rows, ids } of parts) {
        const dropped = takeNew(ids, taken, batch.formerIds);
        duplicates += dropped.size;
        all += rows.rows;
        if ('columns' in rows) flat.push({ rows, dropped });
        else
          for (const [row, text] of rows.text.split('\n').entries()) if (!dropped.has(row)) whole.push(text);
      }
      counts.set(batch, { imported: all - duplicates, duplicates });
    }
    await this.#addFlat(source, flat);
    if (whole.length > 0) await this.#addWhole(source, { rows: whole.length, text: whole.join('\n') });
    return counts;
  }

  async #addFlat(source: Source, parts: readonly FlatPart[]): Promise<void> {
    const rows = mergedRows(parts);
    if (rows === undefined) return;
    const { sql, texts } = flatInsert(flatTable(source).sql, undefined, source.columns, rows);
    const statement = this.#statements.get(sql) ?? (await this.connection.prepare(sql));
    this.#statements.set(sql, statement);
    for (const [i, column] of texts.entries()) statement.bindVarchar(i + 1, String(rows.columns[column]));
    const { rowsChanged } = await statement.run();
    // The texts would stay in memory until the next rows of the same form.
    statement.clearBindings();
    checkCount(rows.rows, rowsChanged);
  }

  /** Rows with several elements in a record, or with rare characters. */
  async #addWhole(source: Source, rows: WholeRows): Promise<void> {
    const [flat, lists] = rowTables(source);
    const staged = await StagedTable.create(this.connection, source, wholeRows(source));
    await staged.addWhole(rows, 0);
    const inFlat = await staged.copyOwn(flat, false);
    const inLists = await staged.copyOwn(lists, false);
    await staged.drop();
    checkCount(rows.rows, inFlat + inLists);
    if (inLists > 0) this.#listTables.use(source);
  }
}

/** The indexes of the ids that are taken already. Takes the others. */
function takeNew(
  ids: readonly string[],
  taken: Set<string>,
  formerIds: ReadonlyMap<string, string> | undefined,
): ReadonlySet<number> {
  const dropped = new Set<number>();
  for (const [index, id] of ids.entries()) {
    const former = formerIds?.get(id);
    if (taken.has(id) || (former !== undefined && taken.has(former))) dropped.add(index);
    else taken.add(id);
  }
  return dropped;
}

function checkCount(given: number, added: number): void {
  if (given !== added) throw new Error(`a group of ${given} rows came out as ${added}`);
}

/** Some flat rows, and which of them are left out, by their indexes. */
interface FlatPart {
  readonly rows: FlatRows;
  readonly dropped: ReadonlySet<number>;
}

/**
 * The rows of several parts as one, in their order and without those left out, so that one INSERT adds them. They have no
 * places. Undefined if no row is left.
 *
 * @param parts parts of one source, with the same columns
 */
function mergedRows(parts: readonly FlatPart[]): FlatRows | undefined {
  const left = parts.filter(({ rows, dropped }) => dropped.size < rows.rows);
  const [first] = left;
  if (first === undefined) return undefined;
  const rows = left.reduce((sum, part) => sum + part.rows.rows - part.dropped.size, 0);
  return { rows, columns: first.rows.columns.map((_, index) => mergedValues(left, index)), places: '' };
}

function mergedValues(parts: readonly FlatPart[], index: number): FlatValues {
  const values = parts.map(({ rows }) => rows.columns[index]);
  const [first] = values;
  if (typeof first !== 'string' && values.every((value) => value === first)) return first;
  return parts.map((part, i) => textOf(values[i], part)).join(valueSeparator);
}

function textOf(values: FlatValues, { rows, dropped }: FlatPart): string {
  if (typeof values !== 'string') {
    const text = values === undefined ? nullMark : String(values);
    return Array.from({ length: rows.rows - dropped.size }, () => text).join(valueSeparator);
  }
  if (dropped.size === 0) return values;
  return values
    .split(valueSeparator)
    .filter((_, row) => !dropped.has(row))
    .join(valueSeparator);
}

/**
 * Which of the ids the tables have within the time ranges. It reads only the row groups with such times, so its time doesn't
 * depend on the size of the tables.
 */
async function knownIds(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  ids: readonly string[],
  ranges: readonly TimeRange[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  // One SELECT for each range: DuckDB doesn't prune by ranges that are joined by OR.
  const selects = tables.flatMap(({ sql }) =>
    ranges.map(
      ({ from, to }) =>
        `SELECT id FROM ${sql} WHERE "timestamp" BETWEEN ${timestamp(from)} AND ${timestamp(to)}
         AND id IN (SELECT id FROM given)`,
    ),
  );
  const given = `WITH given AS MATERIALIZED (SELECT unnest(from_json($1, '["VARCHAR"]')) AS id)`;
  const statement = await connection.prepare(`${given} ${selects.join(' UNION ALL ')}`);
  try {
    statement.bindVarchar(1, JSON.stringify(ids));
    const reader = await statement.runAndReadAll();
    return new Set(reader.getRows().map(([id]) => String(id)));
  } finally {
    statement.destroySync();
  }
}

function timestamp(micros: bigint): string {
  return literalSql({ kind: 'TIMESTAMP' }, micros);
}
