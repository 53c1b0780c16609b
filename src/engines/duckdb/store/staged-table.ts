import type { DuckDBAppender, DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { type FlatInsert, type FlatRows, flatInsert, flatSignature } from './flat-batch.ts';
import { readBlocks } from './read-blocks.ts';
import { batchRows, type FlatChunk, type WholeRows } from './row-batch.ts';
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
  readonly #name: string;
  readonly #staged: string;
  readonly #source: Source;
  #insertWhole: DuckDBPreparedStatement | undefined;
  /** The one for the columns that the last rows had: the next ones nearly always have the same. */
  #insertFlat:
    | (Pick<FlatInsert, 'texts'> & {
        readonly signature: string;
        readonly statement: DuckDBPreparedStatement;
      })
    | undefined;
  #appender: DuckDBAppender | undefined;
  #rows = 0;

  private constructor(connection: DuckDBConnection, source: Source, target: RowTable, name: string) {
    this.#connection = connection;
    this.#source = source;
    this.#target = target;
    this.#name = name;
    this.#staged = `temp.${name}`;
    this.ids = `SELECT id, ${place} AS place FROM ${this.#staged}`;
  }

  /** @param name by which tables of one connection are told apart; by default, that of the target's schema */
  static async create(
    connection: DuckDBConnection,
    source: Source,
    target: RowTable,
    name: string = target.schema,
  ): Promise<StagedTable> {
    await connection.run(`CREATE TEMP TABLE staged_${name} (${target.definitions}, ${place} BIGINT)`);
    return new StagedTable(connection, source, target, `staged_${name}`);
  }

  /**
   * Adds those of some whole rows that the table is for.
   *
   * @param before what is added to the rows' places
   * @returns how many
   */
  async addWhole({ text }: WholeRows, before: number): Promise<number> {
    const select = () => selectFor(this.#target, batchRows(this.#source.columns), { kept: place });
    this.#insertWhole ??= await this.#connection.prepare(`INSERT INTO ${this.#staged} ${select()}`);
    this.#insertWhole.bindVarchar(1, text);
    this.#insertWhole.bindBigInt(2, BigInt(before));
    return await this.#run(this.#insertWhole);
  }

  /** Adds flat rows, for which only the flat table is asked. Like `addWhole`. */
  async addFlat(rows: FlatRows, before: number): Promise<number> {
    const signature = flatSignature(rows);
    if (this.#insertFlat?.signature !== signature) {
      const { sql, texts } = flatInsert(this.#staged, place, this.#source.columns, rows);
      this.#insertFlat = { signature, texts, statement: await this.#connection.prepare(sql) };
    }
    const { statement, texts } = this.#insertFlat;
    statement.bindVarchar(1, rows.places);
    statement.bindBigInt(2, BigInt(before));
    for (const [i, column] of texts.entries()) statement.bindVarchar(i + 3, String(rows.columns[column]));
    return await this.#run(statement);
  }

  /** Adds flat rows that DuckDB has already, with all columns of the table. Before anything else is done with it, `finish` must be called. */
  async addChunk({ rows, chunk }: FlatChunk): Promise<number> {
    this.#appender ??= await this.#connection.createAppender(this.#name, 'main', 'temp');
    this.#appender.appendDataChunk(chunk);
    this.#rows += rows;
    return rows;
  }

  /** Ends what `addChunk` has begun. */
  finish(): void {
    this.#appender?.closeSync();
    this.#appender = undefined;
  }

  async #run(insert: DuckDBPreparedStatement): Promise<number> {
    const { rowsChanged } = await insert.run();
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
