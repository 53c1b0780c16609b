import type { DuckDBConnection } from '@duckdb/node-api';

/** Rows that the store's DuckDB reads from a file itself. The store must have been opened with this file (`readable`). */
export interface FileRows {
  /** Installs the functions that the SELECTs call. */
  readonly prepare: (connection: DuckDBConnection) => void;
  /** How many rows the file has. */
  readonly rowCount: number;
  /**
   * The SELECT of each row's `id`, the text of its id, `timestamp` and `.place`, its number, in this order. Invalid rows may have
   * NULL. All rows have NULL where their source has no such column.
   */
  readonly keys: string;
  /** The rows that are certainly valid and have a flat form. */
  readonly flat: FileSelect;
  /** The rows that are certainly valid and have no flat form, in list form. */
  readonly lists: FileSelect;
  /** The error for the importer when DuckDB fails to read the file; another error is returned unchanged. */
  readonly failure: (error: unknown) => unknown;
  /** Called with the number of these rows, before any further batch is read. */
  readonly onTaken: (rows: number) => void;
}

/** Rows in the form of one of the source's tables. */
export interface FileSelect {
  /** Which columns of the form have a value, by their indexes. */
  readonly columns: readonly number[];
  /** The SELECT of these columns, then `.place`. */
  readonly sql: string;
}
