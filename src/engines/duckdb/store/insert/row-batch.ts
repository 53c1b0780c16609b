import type { FlatRows } from './flat-batch.ts';

/**
 * Validated whole rows for the store, as text: one JSON object a line. DuckDB doesn't validate them (what it can't convert
 * becomes NULL), so each value must have the form of its type:
 *
 * | type | form |
 * |---|---|
 * | BOOL, STRING | as in JSON |
 * | INT64, FLOAT64 | JSON numbers; `"NaN"`, `"Infinity"`, `"-Infinity"` |
 * | NUMERIC, BIGNUMERIC | string of decimal digits, without exponent |
 * | TIMESTAMP | string `YYYY-MM-DDTHH:MM:SS[.f]`, UTC, one to six digits, then nothing or `Z` |
 * | DATE, TIME, DATETIME | string in the form of `Value` |
 * | BYTES | string: base64, padded |
 * | JSON | string: the JSON text |
 * | INTERVAL, GEOGRAPHY | string |
 * | REPEATED | array without nulls, always there |
 * | RECORD | object |
 *
 * INTERVAL and GEOGRAPHY are only for BigQuery. Keys are in lower case and unique; an absent key means NULL.
 *
 * Each row has its place among all rows of several batches under `placeKey`; by default, its position in the text.
 */
export interface WholeRows {
  readonly rows: number;
  /** The lines, joined by single newlines. */
  readonly text: string;
}

/** Rows to stage together. */
export interface RowBatch {
  readonly rows: number;
  readonly parts: readonly ParsedRows[];
}

/** Some rows, whole or in their flat form. They can be transferred between threads. */
export type ParsedRows = (WholeRows | FlatRows) & {
  /** Added to the place of each row; by default, the number of rows staged before. */
  readonly before?: number;
};

/** The key of a row's place. */
export const placeKey = '.place';

/** The key of the id that was made for a row whose source has no column for it, which only BigQuery can have. */
export const madeIdKey = '.id';
