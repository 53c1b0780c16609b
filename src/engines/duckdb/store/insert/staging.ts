import type { DuckDBConnection } from '@duckdb/node-api';
import { isMerged } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { keySql } from '../tables/key-sql.ts';
import { type Leaf, leavesOf } from '../tables/leaves.ts';
import { reshapeColumns } from '../tables/reshape.ts';
import { reshapeFlat } from '../tables/reshape-flat.ts';
import { rowTables, wholeRows } from '../tables/row-table.ts';
import { followSchema, onlyGrows } from '../tables/schema-change.ts';
import { haveSameForm, SourceChanged } from '../tables/source-changed.ts';
import { storedColumns } from '../tables/stored-schema.ts';
import type { FileRows } from './file-rows.ts';
import { FileTables } from './file-tables.ts';
import type { ParsedRows, RowBatch } from './row-batch.ts';
import { StagedTable } from './staged-table.ts';
import { withoutRows } from './without-rows.ts';

/** Rows that were read but not committed yet, staged as they came: flat, or in the form of the schema. */
export class Staging {
  readonly #connection: DuckDBConnection;
  #source: Source;
  #flat: StagedTable;
  /** Exists from the first whole row on. Some whole rows may have a flat form. */
  #whole: StagedTable | undefined;
  /** Rows of a file, if any. */
  #file: FileTables | undefined;
  readonly #outOfOrder = new Set<StagedTable>();
  #rows = 0;

  private constructor(connection: DuckDBConnection, source: Source, flat: StagedTable) {
    this.#connection = connection;
    this.#source = source;
    this.#flat = flat;
  }

  static async create(connection: DuckDBConnection, source: Source): Promise<Staging> {
    const [flat] = rowTables(source);
    return new Staging(connection, source, await StagedTable.create(connection, source, flat));
  }

  get #tables(): StagedTable[] {
    return [this.#flat, ...(this.#file?.staged ?? []), this.#whole].filter((table) => table !== undefined);
  }

  /** Reads the certainly valid rows of a file, in the transaction that will be committed. */
  async takeFile(file: FileRows): Promise<void> {
    try {
      this.#file = await FileTables.take(this.#connection, this.#source, file);
    } catch (error) {
      throw file.failure(error);
    }
    file.onTaken(this.#file.taken);
  }

  /** Adds the rows of a batch. */
  async add(batch: RowBatch): Promise<void> {
    let added = 0;
    for (const part of batch.parts) {
      added += await this.#addPart(part);
      this.#rows += part.rows;
    }
    if (added !== batch.rows) throw new Error(`a batch of ${batch.rows} rows came out as ${added}`);
  }

  async #addPart(part: ParsedRows): Promise<number> {
    const before = part.before ?? this.#rows;
    if ('columns' in part) return await this.#flat.addFlat(part, before);
    this.#whole ??= await StagedTable.create(this.#connection, this.#source, wholeRows(this.#source));
    return await this.#whole.addWhole(part, before);
  }

  /** Keeps the first row of each id, and the last one where rows replace others. Returns how many rows it removed. */
  async dropRepeatedIds(): Promise<number> {
    const ids = this.#ids;
    if (ids === undefined) return 0;
    const counted = await this.#connection.runAndReadAll(
      `SELECT count(*) - count(DISTINCT id) FROM (${ids})`,
    );
    if (Number(counted.value(0, 0)) === 0) return 0;
    const kept = isMerged(this.#source) ? 'max' : 'min';
    const places = `SELECT ${kept}(place) FROM (${ids}) GROUP BY id`;
    return await this.#delete(({ place }) => `${place} NOT IN (${places})`);
  }

  /** Removes the rows whose id the store has. Returns how many. */
  async dropKnownIds(): Promise<number> {
    const known = knownIds(this.#source);
    return known === undefined ? 0 : await this.#delete(({ id }) => `${id} IN (${known})`);
  }

  /** Whether the store has a row with the id of one of these rows. */
  async hasKnownIds(): Promise<boolean> {
    const [ids, known] = [this.#ids, knownIds(this.#source)];
    if (ids === undefined || known === undefined) return false;
    const sql = `SELECT 1 FROM (${ids}) WHERE id IN (${known}) LIMIT 1`;
    return (await this.#connection.run(sql)).rowCount > 0;
  }

  /** The ids of the rows, as a relation. Undefined if rows have none. */
  get #ids(): string | undefined {
    const ids = this.#tables.flatMap((table) => table.ids ?? []);
    return ids.length === 0 ? undefined : ids.join(' UNION ALL ');
  }

  /**
   * Makes the rows of the source's tables those that the source keeps, without those that staged rows replace.
   *
   * @param isWhole whether the staged rows replace all of them, and not only those with their ids
   * @returns how many they replace
   */
  async replaceKnown(isWhole: boolean): Promise<number> {
    const ids = this.#ids;
    return await withoutRows(
      this.#connection,
      this.#source,
      isWhole ? 'true' : (id) => `${id} IN (SELECT id FROM (${ids}))`,
    );
  }

  /** Brings the staged rows into the form of the source as it is now. It may have got new columns. */
  async use(source: Source): Promise<void> {
    if (haveSameForm(source, this.#source)) return;
    const columns = followSchema(storedColumns(this.#source.columns), source.columns);
    const leaves = leavesOf(columns);
    // Rows that lack a column, or have other values, are read again.
    if (!onlyGrows(columns) || !leaves.every(hasSameName)) throw new SourceChanged();
    const [flat] = rowTables(source);
    const isSorted = (table: StagedTable | undefined) => table !== undefined && this.#outOfOrder.has(table);
    const [isFlatSorted, isWholeSorted] = [isSorted(this.#flat), isSorted(this.#whole)];
    this.#flat = await this.#flat.reshaped(source, flat, reshapeFlat(leaves));
    const whole = reshapeColumns(columns);
    this.#whole = await this.#whole?.reshaped(source, wholeRows(source), whole);
    if (isFlatSorted) this.#outOfOrder.add(this.#flat);
    if (isWholeSorted && this.#whole !== undefined) this.#outOfOrder.add(this.#whole);
    this.#source = source;
  }

  /** Removes rows that were copied already, because another writer has added rows with the same ids since. Returns how many. */
  async removeCopied(ids: readonly string[]): Promise<number> {
    const given = `(SELECT unnest(from_json($1, '["VARCHAR"]')))`;
    const [own, { id }] = [this.#ids, keySql(this.#source)];
    if (own === undefined || ids.length === 0) return 0;
    const found = await this.#connection.runAndReadAll(`SELECT id FROM (${own}) WHERE id IN ${given}`, [
      JSON.stringify(ids),
    ]);
    if (found.currentRowCount === 0) return 0;
    const both = JSON.stringify(found.getRows().map(([id]) => id));
    let removed = 0;
    for (const { sql } of rowTables(this.#source))
      removed += (await this.#connection.run(`DELETE FROM ${sql} WHERE ${id} IN ${given}`, [both]))
        .rowsChanged;
    return removed;
  }

  /** Finds the rows that have to be sorted. Called before `copyToTables`. */
  async findOrder(): Promise<void> {
    for (const table of this.#tables) if (await table.isOutOfOrder()) this.#outOfOrder.add(table);
  }

  /**
   * Copies the rows into the source's tables, in timestamp order where that matters. Returns the number of rows in each.
   */
  async copyToTables(): Promise<{ readonly flat: number; readonly lists: number }> {
    const [flatTable, listTable] = rowTables(this.#source);
    const isSorted = (table: StagedTable) => this.#outOfOrder.has(table);
    let { flat, lists } = (await this.#file?.copy(isSorted)) ?? { flat: 0, lists: 0 };
    flat += await this.#flat.copy(flatTable, isSorted(this.#flat));
    if (this.#whole !== undefined) {
      flat += await this.#whole.copyOwn(flatTable, isSorted(this.#whole));
      lists += await this.#whole.copyOwn(listTable, isSorted(this.#whole));
    }
    return { flat, lists };
  }

  async #delete(condition: Parameters<StagedTable['delete']>[0]): Promise<number> {
    let deleted = 0;
    for (const table of this.#tables) deleted += await table.delete(condition);
    return deleted;
  }
}

/** The ids of the rows that the store has, as a relation. Undefined if rows have none. */
function knownIds(source: Source): string | undefined {
  const { id } = keySql(source);
  return (
    id &&
    rowTables(source)
      .map(({ sql }) => `SELECT ${id} FROM ${sql}`)
      .join(' UNION ALL ')
  );
}

/** Whether a leaf is called as before. Some are called by their place in a record. */
function hasSameName({ name, oldName }: Leaf): boolean {
  return oldName === undefined || oldName.toLowerCase() === name.toLowerCase();
}
