import type { DuckDBConnection } from '@duckdb/node-api';

/** Rows that the store's DuckDB reads from a file by itself, which it has to have been opened with (`readable`). */
export interface FileRows {
  /** Makes known to the store's DuckDB what the SELECTs call. */
  readonly prepare: (connection: DuckDBConnection) => void;
  /** How many rows the file has. */
  readonly rowCount: number;
  /** The SELECT of each row's `id`, `timestamp` and `.place`, which is its number, in this order. It may have NULL for rows that don't fit. */
  readonly keys: string;
  /** The rows that surely fit and have a flat form. */
  readonly flat: FileSelect;
  /** Those that surely fit and have none, in list form. */
  readonly lists: FileSelect;
  /** Told how many of the rows these were, before any further batch is asked for. */
  readonly onTaken: (rows: number) => void;
}

/** Rows in the form of one of the source's tables. */
export interface FileSelect {
  /** Which columns of the form have a value, by their indexes. */
  readonly columns: readonly number[];
  /** The SELECT of these columns, then `.place`. */
  readonly sql: string;
}
