import type { Column, SqlType } from '../../../sql/type.ts';
import type { UsedFields } from '../../../sql/used-fields.ts';
import type { Value } from '../../../sql/value.ts';

/** What is known when a query is turned into SQL, besides the query. */
export interface EmitContext {
  /** The declared parameters by name, in any letter case; they become constants of the SQL. */
  readonly parameters: ReadonlyMap<string, { readonly type: SqlType; readonly value: Value }>;
  /** Microseconds since the epoch: what CURRENT_TIMESTAMP and its relatives give, stable in the query. */
  readonly now: bigint;
  /** Whether nothing behind the outermost WITH clause may be computed from rows that the clause leaves out. */
  readonly hasBorder?: boolean;
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

/** A query for DuckDB. Its columns stand in the order of `columns`; their names mean nothing. Behind them may be those of `records`. */
export interface EmittedQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
  readonly records: RecordsInLeaves | undefined;
}

/**
 * Columns that are records, which come as their leaves, each a column: DuckDB takes long to make a value of a hundred fields, and longer
 * to pass it on.
 */
export interface RecordsInLeaves {
  /** The column that tells of a row whether it is of a table in flat form; it is of one in list form otherwise. */
  readonly isFlat: number;
  /** Of rows in flat form, by the position of the column. */
  readonly flat: ReadonlyMap<number, RecordInLeaves>;
  /** Of rows in list form. */
  readonly lists: ReadonlyMap<number, RecordInLeaves>;
}

export interface RecordInLeaves {
  /** Where the first of its leaves stands. They are in the order of `leafNames`. */
  readonly first: number;
  /** What is used of the record; the rest is NULL, and has no leaves. */
  readonly used: UsedFields;
}
