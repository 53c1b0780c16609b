import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { readBlocks } from './read-blocks.ts';
import { batchColumns, batchRelation, type RowBatch } from './row-batch.ts';
import { type RowTable, rowTables, selectFor } from './row-table.ts';
import { columnDefinitions } from './source-table.ts';
import { blockRows, overlapDepth } from './time-order.ts';

const staged = 'temp.staged_rows';

/**
 * Rows that were read but don't belong to the store yet: a temporary table of one connection, which DuckDB keeps
 * on disk beyond its memory limit. It vanishes with the connection.
 */
export class Staging {
  readonly #connection: DuckDBConnection;
  readonly #source: Source;
  readonly #insert: DuckDBPreparedStatement;
  #rows = 0;

  private constructor(connection: DuckDBConnection, source: Source, insert: DuckDBPreparedStatement) {
    this.#connection = connection;
    this.#source = source;
    this.#insert = insert;
  }

  static async create(connection: DuckDBConnection, source: Source): Promise<Staging> {
    await connection.run(`CREATE TEMP TABLE staged_rows (${columnDefinitions(source.columns)})`);
    const { columns } = source;
    const insert = await connection.prepare(
      `INSERT INTO ${staged} SELECT ${batchColumns(columns)} FROM ${batchRelation(columns)}`,
    );
    return new Staging(connection, source, insert);
  }

  /** How many rows were added. */
  get rows(): number {
    return this.#rows;
  }

  async add(batch: RowBatch): Promise<void> {
    this.#insert.bindVarchar(1, batch.text);
    const { rowsChanged } = await this.#insert.run();
    if (rowsChanged !== batch.rows)
      throw new Error(`a batch of ${batch.rows} rows came out as ${rowsChanged}`);
    this.#rows += batch.rows;
  }

  /** Leaves the first row of each id. Gives how many were left out. */
  async dropRepeatedIds(): Promise<number> {
    const counted = await this.#connection.runAndReadAll(
      `SELECT count(*) - count(DISTINCT id) FROM ${staged}`,
    );
    if (Number(counted.value(0, 0)) === 0) return 0;
    const dropped = await this.#connection.run(
      `DELETE FROM ${staged} WHERE rowid NOT IN (SELECT min(rowid) FROM ${staged} GROUP BY id)`,
    );
    return dropped.rowsChanged;
  }

  /** Leaves out the rows whose id the store has. Gives how many. */
  async dropKnownIds(): Promise<number> {
    const known = rowTables(this.#source).map(({ sql }) => `SELECT id FROM ${sql}`);
    const dropped = await this.#connection.run(
      `DELETE FROM ${staged} WHERE id IN (${known.join(' UNION ALL ')})`,
    );
    return dropped.rowsChanged;
  }

  /** Whether adding the rows as they came would leave row groups of wide, overlapping times. */
  async isOutOfOrder(): Promise<boolean> {
    if (this.#rows <= blockRows) return true;
    return overlapDepth(await readBlocks(this.#connection, staged)) > 1;
  }

  /**
   * Copies the rows into the source's tables, each into the one for its form, in timestamp order where that matters. Gives how
   * many.
   */
  async copyToTables(sorted: boolean): Promise<number> {
    let copied = 0;
    for (const table of rowTables(this.#source)) copied += await this.#copyTo(table, sorted);
    return copied;
  }

  async #copyTo(table: RowTable, sorted: boolean): Promise<number> {
    const select = selectFor(table, staged, sorted ? 'rowid' : undefined);
    const { rowsChanged } = await this.#connection.run(
      `INSERT INTO ${table.sql} (${table.columns}) ${select}`,
    );
    return rowsChanged;
  }
}
