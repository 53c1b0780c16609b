import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Value } from '../../sql/values/value.ts';
import type { TableQuery } from './ad-hoc-query.ts';
import type { Page } from './page.ts';

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
