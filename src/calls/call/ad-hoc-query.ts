import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import type { Endpoint, EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { Value } from '../../sql/values/value.ts';
import type { PageFacts } from './page.ts';

/** A query of a caller, to run instead of the stored one. */
export interface AdHocQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** A query over the tables of an endpoint, other than the stored one. */
export interface TableQuery {
  /** Identifies the query: queries of an endpoint with the same text have the same answer. */
  readonly canonical: string;
  readonly plan: Plan;
  /** Bytes of memory of the plan; none for the plans of an endpoint's tables, which exist anyway. */
  readonly planBytes?: number;
  /** Rows beyond this many are cut off. */
  readonly maxRows: number;
  /** The tables of the endpoint that it reads. */
  readonly tables: readonly EndpointTable[];
  /** The page of another query that it is. */
  readonly page?: PageFacts;
  /** The values of the plan's parameters that the endpoint doesn't declare: those of the place after which the page begins. */
  readonly place?: ReadonlyMap<string, Value>;
}

/** Plans ad-hoc queries in either language. */
export interface AdHocQueries {
  /**
   * @param account whose turn it is at the analyzer, and whose memory the plan uses
   * @param signal aborting it ends the work at its next step
   * @throws GatewayError if the query is invalid or the endpoint accepts none; the signal's reason, when the work has ended
   */
  plan(endpoint: Endpoint, query: AdHocQuery, account: Account, signal: AbortSignal): Promise<TableQuery>;
  /**
   * Returns the plan, if it is cached.
   *
   * @throws GatewayError if a refusal is cached
   */
  known(endpoint: Endpoint, query: AdHocQuery): TableQuery | undefined;
}

/** Refuses all ad-hoc queries. */
export const noAdHocQueries: AdHocQueries = {
  plan: async (_endpoint, query) => refuseAdHoc(query),
  known: (_endpoint, query) => refuseAdHoc(query),
};

function refuseAdHoc({ language }: AdHocQuery): never {
  const message = `Parameter "${language}": this gateway does not accept ad-hoc queries.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: language });
}

/** The ad-hoc query among a caller's parameters. SQL takes precedence over LQL, and an empty text counts as none. */
export function adHocQueryOf(given: GivenParameters): AdHocQuery | undefined {
  for (const language of ['sql', 'lql'] as const) {
    const text = given.get(language);
    if (typeof text === 'string' && text !== '') return { language, text };
  }
  return undefined;
}
