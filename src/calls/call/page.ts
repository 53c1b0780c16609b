import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { PageOrder } from '../../sql/plan/paging.ts';
import type { Value } from '../../sql/values/value.ts';
import type { TableQuery } from './ad-hoc-query.ts';

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

/** Derives pages from queries. */
export interface PageQueries {
  /**
   * The query of a page.
   *
   * @param base the query whose rows are read in pages
   * @param parameters the values of the call
   * @param account whose turn it is at the analyzer, and whose memory the plan uses
   * @throws GatewayError BAD_USER_INPUT if the query has no total order; INVALID_CURSOR; the signal's reason
   */
  plan(
    endpoint: Endpoint,
    base: TableQuery,
    page: Page,
    parameters: ReadonlyMap<string, Value>,
    account: Account,
    signal: AbortSignal,
  ): Promise<TableQuery>;
  /**
   * Returns the query, if its plan is cached.
   *
   * @throws GatewayError as `plan` does
   */
  known(
    endpoint: Endpoint,
    base: TableQuery,
    page: Page,
    parameters: ReadonlyMap<string, Value>,
  ): TableQuery | undefined;
}

/** Refuses all pages. */
export const noPages: PageQueries = { plan: async () => refusePages(), known: () => refusePages() };

function refusePages(): never {
  throw new GatewayError('BAD_USER_INPUT', 'This gateway has no pages.');
}
