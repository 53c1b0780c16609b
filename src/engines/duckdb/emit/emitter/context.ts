import type { UsedFields } from '../../../../sql/plan/used-fields.ts';
import type { Column } from '../../../../sql/values/type.ts';
import type { Constant } from '../../dialect/constant.ts';
import type { KeySql } from '../../store/tables/key-sql.ts';
import type { LateValue } from './relation.ts';

/** What emitting a query requires besides the query. */
export interface EmitContext {
  /** The declared parameters by name, in any letter case. They become constants in the SQL. */
  readonly parameters: ReadonlyMap<string, Constant>;
  /** Microseconds since the epoch: the value of CURRENT_TIMESTAMP and related functions throughout the query. */
  readonly now: Constant;
  /** The number of calls of functions in the whole query. */
  readonly callCount: number;
  /** Whether a part of the query gives other values each time it is evaluated. */
  readonly isVolatile: boolean;
  /** Whether nothing after the outermost WITH clause may be computed from rows that the clause excludes. */
  readonly hasBorder: boolean;
  /** Whether only one thread at a time calls functions in JavaScript. */
  readonly inOneThread?: boolean;
  /** Whether aggregations are merged from slices where that is exact. */
  readonly isSliced?: boolean;
  /** The maximum number of rows. The query's own LIMIT may be lower. */
  readonly rowLimit?: number;
  /** The wanted fields of a result row. All others are NULL. All if absent. */
  readonly wanted?: UsedFields;
  /** The flat table, as SQL, of a table that has one. It then has all rows that are not in the other table. */
  flatTableSql?(table: string): string | undefined;
  /** Whether a table has only rows in its flat table. If absent, this is not known of any table. */
  isFlatOnly?(table: string): boolean;
  /**
   * The table, as SQL, with the rows of a catalog table: if there is a flat form, the rows that don't fit it, in list
   * form.
   */
  tableSql(table: string): string;
  /** The key of a table's rows. By default, they have an id and a time with the usual names. */
  keyOf?(table: string): KeySql;
}

/** A query for DuckDB. Its columns have the order of `columns`, and arbitrary names. The keys of `late` follow them. */
export interface EmittedQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Whether the result has few rows, whose bytes together are limited while they are made. */
  readonly isSmall?: boolean;
  /** The tables to read columns from after the result's rows are known. Until then, these columns are NULL. */
  readonly late: readonly LateQuery[];
  /** The aggregations for which the SQL has marks: see `slicedSql`. Absent if it has none. */
  readonly slices?: readonly EmittedSlices[];
}

/** An aggregation that is merged from slices of its rows by time. */
export interface EmittedSlices {
  /** The table of the rows. */
  readonly table: string;
  /** What bounds their times. The times are SQL: whole numbers of microseconds. */
  readonly bounds: readonly { readonly operator: '=' | '<' | '<=' | '>' | '>='; readonly micros: string }[];
}

/** A query for columns of the result's rows, found by their keys in one of their tables. */
export interface LateQuery {
  /** The column of the first query with the key of each row. NULL for rows of other tables. */
  readonly key: number;
  /** The values that it reads, by the position of the result's column. */
  readonly values: ReadonlyMap<number, LateValue>;
  /**
   * Its SQL. Each row has its key, then the values in order, with records as their leaves. Rows are unordered,
   * and each key has one.
   */
  sqlFor(keys: readonly bigint[]): string;
}
