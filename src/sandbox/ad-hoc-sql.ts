import { LRUCache } from 'lru-cache';
import { never } from '../async/race-with-abort.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import { SingleFlight } from '../executor/single-flight.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../sql/analyzer/error.ts';
import { type Packed, packed } from '../sql/packed.ts';
import type { Plan } from '../sql/plan.ts';
import { type Offer, offerOf } from './endpoint-sandbox.ts';
import { defaultSandboxLimits, type SandboxLimits } from './limits.ts';
import type { AdHocText } from './plan-ad-hoc-query.ts';
import type { PlannedQuery } from './planned-query.ts';

/** Plans the queries that callers bring along. */
export interface AdHocSql {
  /**
   * The plan of a caller's query on an endpoint's tables. It runs as one of the endpoint's tables would, and
   * `endpoint.maxRows` is its limit.
   *
   * @param sql GoogleSQL text, as the caller sent it
   * @param signal aborting it ends the wait at once, and the planning when nobody else waits for it
   * @throws GatewayError BAD_USER_INPUT, SANDBOX_VIOLATION, QUERY_FAILED; BACKEND_UNAVAILABLE when there is no analyzer; the signal's
   *   reason
   */
  plan(endpoint: Endpoint, sql: string, signal?: AbortSignal): Promise<PlannedQuery>;
  /**
   * The same, if it is at hand.
   *
   * @throws GatewayError when it is at hand why there is none
   */
  known(endpoint: Endpoint, sql: string): PlannedQuery | undefined;
}

/** A text is either allowed or not, today and tomorrow: both are kept. */
type Outcome = { readonly query: PlannedQuery } | { readonly refused: GatewayError };

/** What is known of one version of an endpoint. An endpoint that is loaded anew is another object. */
interface EndpointKnowledge {
  readonly id: number;
  readonly offer: Packed<Offer>;
}

interface CallerQueriesParts {
  /** Does what `planAdHocQuery` does. */
  readonly planText: (text: AdHocText, signal: AbortSignal) => Promise<PlannedQuery>;
  /** The tables of stored queries. */
  readonly catalog: Catalog;
  /** Refuses, by a GatewayError, a plan that the engine can't run. */
  readonly checkPlan: (plan: Plan, signal: AbortSignal) => Promise<void>;
  readonly limits?: SandboxLimits;
}

/** What a kept outcome takes beside its text and its plan, in bytes. */
const outcomeOverhead = 200;

/**
 * Plans of repeated texts are kept, within `limits.cacheCharacters` for all endpoints together; the same text of
 * several callers at once is planned once.
 */
export function adHocSql({
  planText,
  catalog,
  checkPlan,
  limits = defaultSandboxLimits,
}: CallerQueriesParts): AdHocSql {
  const packedCatalog = packed(catalog);
  const outcomes = new LRUCache<string, Outcome>({ maxSize: limits.cacheCharacters });
  const underWay = new SingleFlight<Outcome>();
  const endpoints = new WeakMap<Endpoint, EndpointKnowledge>();
  let nextId = 0;

  const knowledgeOf = (endpoint: Endpoint): EndpointKnowledge => {
    let known = endpoints.get(endpoint);
    if (known === undefined) {
      known = { id: nextId++, offer: packed(offerOf(endpoint)) };
      endpoints.set(endpoint, known);
    }
    return known;
  };
  const keep = (key: string, outcome: Outcome, planBytes = 0) => {
    outcomes.set(key, outcome, { size: key.length + planBytes + outcomeOverhead });
  };
  const work = async (
    offer: Packed<Offer>,
    sql: string,
    key: string,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    try {
      const query = await planText({ sql, offer, catalog: packedCatalog, limits }, signal);
      await checkPlan(query.plan, signal);
      keep(key, { query }, query.plan.packed.length);
      return { query };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AnalyzerUnavailableError) throw unavailable(error);
      if (!(error instanceof GatewayError)) throw error;
      // What passes isn't kept: the next time may be another.
      if (error.status < 500 && error.details.retryAfterSeconds === undefined) keep(key, { refused: error });
      return { refused: error };
    }
  };
  const keyOf = ({ id }: EndpointKnowledge, sql: string) => `${id} ${sql}`;
  return {
    async plan(endpoint, sql, signal = never) {
      const knowledge = knowledgeOf(endpoint);
      const key = keyOf(knowledge, sql);
      const known = outcomes.get(key);
      if (known !== undefined) return queryOf(known);
      const waiter = { signal, isForeground: true };
      return queryOf(
        await underWay.join(key, waiter, (flight) => work(knowledge.offer, sql, key, flight.signal)),
      );
    },
    known(endpoint, sql) {
      const outcome = outcomes.get(keyOf(knowledgeOf(endpoint), sql));
      return outcome && queryOf(outcome);
    },
  };
}

function queryOf(outcome: Outcome): PlannedQuery {
  if ('refused' in outcome) throw outcome.refused;
  return outcome.query;
}

function unavailable(error: AnalyzerUnavailableError): GatewayError {
  const { message } = error;
  if (error instanceof AnalyzerOverwhelmedError)
    return new GatewayError('QUERY_FAILED', `The query is too complex. ${message}`, { cause: error });
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause: error, retryAfterSeconds: 1 });
}
