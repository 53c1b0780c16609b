import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { TimeSlice } from '../../../../base/async/time-slice.ts';
import { idColumn, isMerged } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import type { ListTables } from '../tables/list-tables.ts';
import { flatTable, rowTables, wholeRows } from '../tables/row-table.ts';
import { type FlatRows, type FlatValues, flatInsert, nullMark, valueSeparator } from './flat-batch.ts';
import {
  type IngestBatch,
  type IngestCounts,
  type IngestPart,
  lengthOfRows,
  partLength,
  partRows,
} from './ingest-batch.ts';
import { knownIds, ofFirst, type PartKeys, repeatedLater, storedTexts } from './known-ids.ts';
import { idsOf } from './row-keys.ts';
import { StagedTable } from './staged-table.ts';
import { joinRanges } from './time-ranges.ts';
import { withoutRows } from './without-rows.ts';

/** Kept INSERTs: one for each source and set of columns with values. Preparing takes as long as adding fifty rows. */
const maxStatements = 32;

/** Adds the rows of requests to the tables, in the transaction of its connection. */
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

  /** Adds all rows whose ids are new, or all where rows replace others. Returns the counts of each batch. */
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
    const slice = new TimeSlice();
    const given: PartKeys[] = [];
    for (const batch of batches) {
      for (const part of batch.parts) {
        given.push({
          batch,
          part,
          ids: await this.#idsOf(source, part),
          formerIds: part.formerIds?.split('\n'),
        });
        if (slice.isOver) await slice.yield();
      }
    }
    const tables = this.#listTables.isFlatOnly(source.name) ? [flatTable(source)] : rowTables(source);
    const ranges = joinRanges(batches.map((batch) => batch.ranges));
    const known = await knownIds(this.connection, tables, given, ranges);
    const isTaken = isMerged(source) ? repeatedLater(given) : ofFirst(known);
    if (isMerged(source) && known.size > 0) await this.#leaveOut(source, [...known]);
    const counts = new Map<IngestBatch, IngestCounts>();
    let flat = new Gathered<FlatPart>();
    let whole = new Gathered<string>();
    let staged: StagedTable | undefined;
    const insert = async () => {
      await this.#addFlat(source, flat.items);
      flat = new Gathered();
      if (whole.items.length === 0) return;
      staged ??= await StagedTable.create(this.connection, source, wholeRows(source));
      await staged.addWhole({ text: whole.items.join('\n') }, 0);
      whole = new Gathered();
    };
    for (const keys of given) {
      const { batch, part } = keys;
      const dropped = isTaken(keys);
      const { imported, duplicates } = counts.get(batch) ?? { imported: 0, duplicates: 0 };
      const added = part.rows - dropped.size;
      counts.set(batch, { imported: imported + added, duplicates: duplicates + dropped.size });
      if ('columns' in part) flat.add({ rows: part, dropped }, added, lengthOfRows(part));
      else
        for (const [row, text] of part.text.split('\n').entries())
          if (!dropped.has(row)) whole.add(text, 1, text.length);
      if (flat.isPart || whole.isPart) await insert();
      if (slice.isOver) await slice.yield();
    }
    await insert();
    if (staged !== undefined) await this.#addStaged(source, staged);
    return counts;
  }

  /** The texts of ids as the store has them, or none if rows have no ids. */
  async #idsOf(source: Source, part: IngestPart): Promise<readonly string[]> {
    const id = idColumn(source);
    if (id === undefined) return [];
    const ids = idsOf(source, part);
    return await storedTexts(this.connection, id, ids);
  }

  /** Leaves out the rows of a source with these ids, which others replace. */
  async #leaveOut(source: Source, ids: readonly string[]): Promise<void> {
    await this.connection.run('CREATE TEMP TABLE replaced_ids (id VARCHAR)');
    await this.connection.run(`INSERT INTO temp.replaced_ids SELECT unnest(from_json($1, '["VARCHAR"]'))`, [
      JSON.stringify(ids),
    ]);
    await withoutRows(this.connection, source, (id) => `${id} IN (SELECT id FROM temp.replaced_ids)`);
    await this.connection.run('DROP TABLE temp.replaced_ids');
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

  /** Adds rows with several elements in a record, or with rare characters. */
  async #addStaged(source: Source, staged: StagedTable): Promise<void> {
    const [flat, lists] = rowTables(source);
    const inFlat = await staged.copyOwn(flat, false);
    const inLists = await staged.copyOwn(lists, false);
    await staged.drop();
    checkCount(staged.rows, inFlat + inLists);
    if (inLists > 0) this.#listTables.use(source);
  }
}

/** What is inserted together. */
class Gathered<Item> {
  readonly items: Item[] = [];
  #rows = 0;
  #length = 0;

  add(item: Item, rows: number, length: number): void {
    this.items.push(item);
    this.#rows += rows;
    this.#length += length;
  }

  /** Whether they are as much as a part. */
  get isPart(): boolean {
    return this.#rows >= partRows || this.#length >= partLength;
  }
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
