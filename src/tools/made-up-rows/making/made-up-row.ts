import type { JsonWith } from '../../../base/text/exact-json.ts';

/** A value of a made-up row. */
export type MadeUpValue = JsonWith<number>;

/** A made-up row. */
export interface MadeUpRow {
  /** The name of its source. */
  readonly source: string;
  /** The row's timestamp, in microseconds since the epoch. */
  readonly at: number;
  /** In the form of the source's schema. An absent field is NULL. */
  readonly row: { readonly [column: string]: MadeUpValue };
}
