import { LRUCache } from 'lru-cache';
import { never } from '../async/race-with-abort.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import { SingleFlight } from '../executor/single-flight.ts';
import type { MeasuredBudget } from '../memory/memory-budget.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../sql/analyzer/error.ts';
import { type Packed, packed } from '../sql/packed.ts';
import type { Plan } from '../sql/plan.ts';
import { type Offer, offerOf } from './endpoint-sandbox.ts';
import { defaultSandboxLimits, type SandboxLimits } from './limits.ts';
import { placeRefusal } from './place-refusal.ts';
import type { AdHocText } from './plan-ad-hoc-query.ts';
import type { PlannedQuery } from './planned-query.ts';

/** Plans ad-hoc SQL queries. */
export interface AdHocSql {
  /**
   * Plans an ad-hoc query over an endpoint's tables. The query runs like one of the endpoint's tables, limited to
   * `endpoint.maxRows`.
   *
   * @param sql GoogleSQL, as the caller sent it
   * @param signal aborting it ends the wait: at once if others wait for the same plan, otherwise when the work has ended
   * @throws GatewayError BAD_USER_INPUT, SANDBOX_VIOLATION, QUERY_FAILED; BACKEND_UNAVAILABLE without an analyzer; the
   *   signal's reason
   */
  plan(endpoint: Endpoint, sql: string, signal?: AbortSignal): Promise<PlannedQuery>;
  /**
   * Returns the plan, if it is cached.
   *
   * @throws GatewayError if a refusal is cached
   */
  known(endpoint: Endpoint, sql: string): PlannedQuery | undefined;
}

/** {@link AdHocSql} over tables that can be replaced. */
export interface LiveAdHocSql extends AdHocSql, MeasuredBudget {
  /** Replaces the tables of stored queries. Endpoints whose tables have changed must be other objects. */
  useCatalog(catalog: Catalog): void;
}

/** The outcome for a text never changes, so that plans and refusals are cached. */
type Outcome = { readonly query: PlannedQuery } | { readonly refused: GatewayError };

/** The offer of one version of an endpoint. A reloaded endpoint is another object. */
interface EndpointOffer {
  readonly id: number;
  readonly offer: Packed<Offer>;
}

interface AdHocSqlParts {
  /** See `planAdHocQuery`. */
  readonly planText: (text: AdHocText, signal: AbortSignal) => Promise<PlannedQuery>;
  /** The tables of stored queries. */
  readonly catalog: Catalog;
  /** @throws GatewayError if the engine can't run the plan */
  readonly checkPlan: (plan: Plan, signal: AbortSignal) => Promise<void>;
  readonly limits?: SandboxLimits;
}

/** Memory of a cached outcome beyond its text and plan, in bytes. */
const outcomeOverhead = 200;

/**
 * Caches plans by text, within `limits.cacheCharacters` for all endpoints together. Identical texts of concurrent
 * callers are planned once.
 */
export function adHocSql({
  planText,
  catalog,
  checkPlan,
  limits = defaultSandboxLimits,
}: AdHocSqlParts): LiveAdHocSql {
  let packedCatalog = packed(catalog);
  const outcomes = new LRUCache<string, Outcome>({ maxSize: limits.cacheCharacters });
  const inFlight = new SingleFlight<Outcome>();
  const endpoints = new WeakMap<Endpoint, EndpointOffer>();
  let nextId = 0;

  const offerFor = (endpoint: Endpoint): EndpointOffer => {
    let offer = endpoints.get(endpoint);
    if (offer === undefined) {
      offer = { id: nextId++, offer: packed(offerOf(endpoint)) };
      endpoints.set(endpoint, offer);
    }
    return offer;
  };
  const store = (key: string, outcome: Outcome, planBytes = 0) => {
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
      await checkPlan(query.plan, signal).catch((error: unknown) => {
        throw placeRefusal(error, query.plan);
      });
      store(key, { query }, query.plan.packed.length);
      return { query };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AnalyzerUnavailableError) throw unavailable(error);
      if (!(error instanceof GatewayError)) throw error;
      // Transient errors aren't cached.
      if (error.status < 500 && error.details.retryAfterSeconds === undefined) store(key, { refused: error });
      return { refused: error };
    }
  };
  const keyOf = (id: number, sql: string) => `${id} ${sql}`;
  return {
    get state() {
      const usedBytes = outcomes.calculatedSize;
      return { name: 'plans', usedBytes, maxBytes: limits.cacheCharacters, ended: 0, refused: 0 };
    },
    async plan(endpoint, sql, signal = never) {
      const { id, offer } = offerFor(endpoint);
      const key = keyOf(id, sql);
      const outcome = outcomes.get(key);
      if (outcome !== undefined) return queryOf(outcome);
      const waiter = { signal, isForeground: true, staysUntilEnd: true };
      return queryOf(await inFlight.join(key, waiter, (flight) => work(offer, sql, key, flight.signal)));
    },
    useCatalog(next) {
      packedCatalog = packed(next);
    },
    known(endpoint, sql) {
      const outcome = outcomes.get(keyOf(offerFor(endpoint).id, sql));
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
