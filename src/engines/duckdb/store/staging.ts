import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import type { FlatChunk, ParsedRows, RowBatch, RowPart } from './row-batch.ts';
import { partOfFlatTable, rowTables } from './row-table.ts';
import { StagedTable } from './staged-table.ts';
import { inTransaction } from './transaction.ts';

/** Rows that were read but don't belong to the store yet, each staged in the form of the table that is going to hold it. */
export class Staging {
  readonly #connection: DuckDBConnection;
  readonly #source: Source;
  readonly #flat: StagedTable;
  /** From the first row on that has no flat form. */
  #list: StagedTable | undefined;
  /** From the first chunk on, with its columns: the fewer, the faster. */
  #chunks: StagedTable | undefined;
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
    return [this.#flat, this.#chunks, this.#list].filter((table) => table !== undefined);
  }

  /** Adds the rows of a batch, in one transaction: each has a price, the higher the more columns the table has. */
  async add(batch: RowBatch): Promise<void> {
    let added = 0;
    await inTransaction(
      this.#connection,
      () => undefined,
      async () => {
        for (const part of batch.parts) added += await this.#addPart(part);
      },
    );
    if (added !== batch.rows) throw new Error(`a batch of ${batch.rows} rows came out as ${added}`);
  }

  async #addPart(part: RowPart): Promise<number> {
    const added = 'chunk' in part ? await this.#addChunk(part) : await this.#addParsed(part);
    this.#rows += part.rows;
    return added;
  }

  async #addChunk(part: FlatChunk): Promise<number> {
    this.#chunks ??= await StagedTable.create(
      this.#connection,
      this.#source,
      partOfFlatTable(this.#source, part.columns),
      'chunks',
    );
    return await this.#chunks.addChunk(part);
  }

  async #addParsed(part: ParsedRows): Promise<number> {
    const before = part.before ?? this.#rows;
    let added = 0;
    if ('columns' in part) {
      added = await this.#flat.addFlat(part, before);
    } else {
      added = await this.#flat.addWhole(part, before);
      if (added < part.rows) {
        const [, list] = rowTables(this.#source);
        this.#list ??= await StagedTable.create(this.#connection, this.#source, list);
        added += await this.#list.addWhole(part, before);
      }
    }
    return added;
  }

  /** To be called after the last batch. */
  finish(): void {
    this.#chunks?.finish();
  }

  /** Whether there was a row without a flat form. */
  get hasListRows(): boolean {
    return this.#list !== undefined;
  }

  /** Leaves the first row of each id. Gives how many were left out. */
  async dropRepeatedIds(): Promise<number> {
    const ids = this.#tables.map((table) => table.ids).join(' UNION ALL ');
    const counted = await this.#connection.runAndReadAll(
      `SELECT count(*) - count(DISTINCT id) FROM (${ids})`,
    );
    if (Number(counted.value(0, 0)) === 0) return 0;
    const first = `SELECT min(place) FROM (${ids}) GROUP BY id`;
    return await this.#delete(({ place }) => `${place} NOT IN (${first})`);
  }

  /** Leaves out the rows whose id the store has. Gives how many. */
  async dropKnownIds(): Promise<number> {
    const known = rowTables(this.#source).map(({ sql }) => `SELECT id FROM ${sql}`);
    return await this.#delete(({ id }) => `${id} IN (${known.join(' UNION ALL ')})`);
  }

  /** Finds out which rows have to be sorted: to be called before `copyToTables`. */
  async findOrder(): Promise<void> {
    for (const table of this.#tables) if (await table.isOutOfOrder()) this.#outOfOrder.add(table);
  }

  /** Copies the rows into the source's tables, in timestamp order where that matters. Gives how many. */
  async copyToTables(): Promise<number> {
    let copied = 0;
    for (const table of this.#tables) copied += await table.copy(this.#outOfOrder.has(table));
    return copied;
  }

  async #delete(condition: Parameters<StagedTable['delete']>[0]): Promise<number> {
    let deleted = 0;
    for (const table of this.#tables) deleted += await table.delete(condition);
    return deleted;
  }
}
