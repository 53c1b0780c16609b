import type { Column, SqlType } from '../../../sql/type.ts';
import type { UsedFields } from '../../../sql/used-fields.ts';
import type { Value } from '../../../sql/value.ts';
import type { LateValue } from './relation.ts';

/** What is known when a query is turned into SQL, besides the query. */
export interface EmitContext {
  /** The declared parameters by name, in any letter case; they become constants of the SQL. */
  readonly parameters: ReadonlyMap<string, { readonly type: SqlType; readonly value: Value }>;
  /** Microseconds since the epoch: what CURRENT_TIMESTAMP and its relatives give, stable in the query. */
  readonly now: bigint;
  /** Whether nothing behind the outermost WITH clause may be computed from rows that the clause leaves out. */
  readonly hasBorder: boolean;
  /** Whether functions in JavaScript are called by one thread at a time. */
  readonly inOneThread?: boolean;
  /** At most this many rows are produced; the query's own LIMIT may be lower. */
  readonly rowLimit?: number;
  /** What is wanted of a row of the result; NULL stands in the place of all else. Left out, everything is. */
  readonly wanted?: UsedFields;
  /** The table in flat form, as SQL, of a table of the catalog that has one. It then holds all rows but those in the other table. */
  flatTableSql?(table: string): string | undefined;
  /** Whether a table of the catalog has no rows but those of its flat table. Left out, none is known to. */
  isFlatOnly?(table: string): boolean;
  /** The table, as SQL, that holds the rows of a table of the catalog: where it has a flat form, in list form those that don't fit. */
  tableSql(table: string): string;
}

/** A query for DuckDB. Its columns stand in the order of `columns`; their names mean nothing. Behind them are the keys of `late`. */
export interface EmittedQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** The tables of which columns are read when the rows of the result are known. These columns are NULL before. */
  readonly late: readonly LateQuery[];
}

/** A query that reads columns of the result's rows, found by their keys in one of the tables that they are of. */
export interface LateQuery {
  /** The column of the first query that has the key of each row; NULL where the row is of another table. */
  readonly key: number;
  /** What it reads, by the position of the result's column. */
  readonly values: ReadonlyMap<number, LateValue>;
  /**
   * Its SQL. Its rows have the place of their key among these, from 0 on, then the values in their order, records as their leaves. They come
   * in any order.
   */
  sqlFor(keys: readonly bigint[]): string;
}
