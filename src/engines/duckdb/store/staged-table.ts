import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { readBlocks } from './read-blocks.ts';
import { batchRows, type RowBatch } from './row-batch.ts';
import { type RowTable, selectFor } from './row-table.ts';
import { blockRows, overlapDepth } from './time-order.ts';

/** The column that tells a row's place among all that were staged. No column of a source has its name. */
const place = '".place"';

/**
 * Rows on their way into one of a source's tables, in its form: a temporary table of one connection, which DuckDB keeps
 * on disk beyond its memory limit. It vanishes with the connection.
 */
export class StagedTable {
  /** The table as a relation with the columns `id` and `place`. */
  readonly ids: string;
  readonly #connection: DuckDBConnection;
  readonly #target: RowTable;
  readonly #staged: string;
  readonly #insert: DuckDBPreparedStatement;
  #rows = 0;

  private constructor(connection: DuckDBConnection, target: RowTable, insert: DuckDBPreparedStatement) {
    this.#connection = connection;
    this.#target = target;
    this.#staged = stagedName(target);
    this.#insert = insert;
    this.ids = `SELECT id, ${place} AS place FROM ${this.#staged}`;
  }

  static async create(connection: DuckDBConnection, source: Source, target: RowTable): Promise<StagedTable> {
    const staged = stagedName(target);
    await connection.run(
      `CREATE TEMP TABLE staged_${target.schema} (${target.definitions}, ${place} BIGINT)`,
    );
    const select = selectFor(target, batchRows(source.columns), { kept: place });
    return new StagedTable(connection, target, await connection.prepare(`INSERT INTO ${staged} ${select}`));
  }

  /**
   * Adds those rows of a batch that the table is for.
   *
   * @param before how many rows came before the batch
   * @returns how many
   */
  async add({ text }: RowBatch, before: number): Promise<number> {
    this.#insert.bindVarchar(1, text);
    this.#insert.bindBigInt(2, BigInt(before));
    const { rowsChanged } = await this.#insert.run();
    this.#rows += rowsChanged;
    return rowsChanged;
  }

  /** Deletes the rows that a condition over `id` and `.place` holds for. Gives how many. */
  async delete(condition: (columns: { id: string; place: string }) => string): Promise<number> {
    if (this.#rows === 0) return 0;
    const deleted = await this.#connection.run(
      `DELETE FROM ${this.#staged} WHERE ${condition({ id: 'id', place })}`,
    );
    return deleted.rowsChanged;
  }

  /** Whether adding the rows as they came would leave row groups of wide, overlapping times. */
  async isOutOfOrder(): Promise<boolean> {
    if (this.#rows <= blockRows) return true;
    return overlapDepth(await readBlocks(this.#connection, this.#staged)) > 1;
  }

  /** Copies the rows into the table that they are for, sorted by their timestamps or as they came. Gives how many. */
  async copy(isSorted: boolean): Promise<number> {
    if (this.#rows === 0) return 0;
    const { sql, columns } = this.#target;
    const order = isSorted ? `ORDER BY "timestamp", ${place}` : '';
    const copied = await this.#connection.run(
      `INSERT INTO ${sql} (${columns}) SELECT ${columns} FROM ${this.#staged} ${order}`,
    );
    return copied.rowsChanged;
  }
}

function stagedName({ schema }: RowTable): string {
  return `temp.staged_${schema}`;
}
