import type { PageOrder } from '../../sql/plan/paging.ts';

/** The rows that a caller wants of a result that it reads in pages. */
export interface PageRequest {
  /** The maximum number of rows. */
  readonly rows: number;
  /** The cursor of the row after which the page begins. By default, it begins with the first row. */
  readonly after?: string | undefined;
}

/** A place in a walk through the pages of a result. */
export interface Place {
  /** The values of the row before it by which rows are ordered, in canonical form. */
  readonly values: readonly unknown[];
  /** A digest of the order. */
  readonly order: string;
  /** How many rows of the walk come before it. */
  readonly walked: number;
}

/** A page to be planned. */
export interface Page {
  readonly rows: number;
  /** Undefined for the first page. */
  readonly from: Place | undefined;
}

/** What is known of a page's rows when it is planned. */
export interface PageFacts {
  readonly order: PageOrder;
  /** The maximum number of rows. One more is read, to know whether there are more. */
  readonly rows: number;
  /** How many rows of the walk come before it. */
  readonly walked: number;
  /** What ends the walk with the last row of this page, whether or not there are more. */
  readonly end?: 'limit' | 'exportRows';
}
