/** A value of a row, in plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A made-up row. */
export interface MadeUpRow {
  /** The name of its source. */
  readonly source: string;
  /** The row's timestamp, in microseconds since the epoch. */
  readonly at: number;
  /** In the form of the source's schema. An absent field is NULL. */
  readonly row: { readonly [column: string]: Json };
}
