import { never } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { type Account, ownAccount } from '../../base/fairness/account.ts';
import type { CacheBudget } from '../../base/memory/cache-budget.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { memoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { UnsupportedError } from '../../sql/resolved/unsupported.ts';
import { type PlacedText, placeOfByte } from '../../sql/text/place.ts';
import { type Packed, packed } from '../../sql/values/packed.ts';
import type { OfferedRows } from '../call/ad-hoc-query.ts';
import { type Flight, SingleFlight } from '../executor/flights/single-flight.ts';
import { type Offer, offerOf } from './endpoint-sandbox.ts';
import { defaultSandboxLimits, type SandboxLimits } from './limits.ts';
import type { AdHocText, PlannedQuery } from './plan-ad-hoc-query.ts';

/** Plans ad-hoc SQL queries. */
export interface AdHocSql {
  /**
   * Plans an ad-hoc query over an endpoint's tables. The query runs like one of the endpoint's tables, limited to
   * `endpoint.maxRows`.
   *
   * @param sql GoogleSQL, as the caller sent it
   * @param from what it reads
   * @param account whose turn it is at the analyzer, and whose memory the plan uses; by default, the gateway's
   * @param signal aborting it ends the wait: at once if others wait for the same plan, otherwise when the work has ended
   * @throws GatewayError BAD_USER_INPUT, SANDBOX_VIOLATION, QUERY_FAILED; BACKEND_UNAVAILABLE without an analyzer; the
   *   signal's reason
   */
  plan(
    endpoint: Endpoint,
    sql: string,
    account?: Account,
    signal?: AbortSignal,
    from?: OfferedRows,
  ): Promise<PlannedQuery>;
  /**
   * Returns the plan, if it is cached.
   *
   * @throws GatewayError if a refusal is cached
   */
  known(endpoint: Endpoint, sql: string, from?: OfferedRows): PlannedQuery | undefined;
}

/** {@link AdHocSql} over tables that can be replaced. */
export interface LiveAdHocSql extends AdHocSql {
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
  /** Bounds the cached plans. By default, they have a budget of their own. */
  readonly plans?: CacheBudget;
}

/** Memory of a cached refusal besides its text, in bytes (measured). */
const refusalBytes = 4_000;

/**
 * Caches plans by text, for all endpoints together. Identical texts of concurrent callers are planned once.
 */
export function adHocSql({
  planText,
  catalog,
  checkPlan,
  limits = defaultSandboxLimits,
  plans = memoryBudgets().plans,
}: AdHocSqlParts): LiveAdHocSql {
  let packedCatalog = packed(catalog);
  const outcomes = plans.table<Outcome>();
  const inFlight = new SingleFlight<Outcome>();
  const offers: Readonly<Record<OfferedRows, WeakMap<Endpoint, EndpointOffer>>> = {
    tables: new WeakMap(),
    result: new WeakMap(),
  };
  let nextId = 0;

  const offerFor = (endpoint: Endpoint, from: OfferedRows): EndpointOffer => {
    let offer = offers[from].get(endpoint);
    if (offer === undefined) {
      offer = { id: nextId++, offer: packed(offerOf(endpoint, from)) };
      offers[from].set(endpoint, offer);
    }
    return offer;
  };
  const work = async (
    offer: Packed<Offer>,
    sql: string,
    key: string,
    account: Account,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    try {
      const query = await planText({ sql, offer, catalog: packedCatalog, limits, account }, signal);
      await checkPlan(query.plan, signal).catch((error: unknown) => {
        throw placeRefusal(error, query.plan);
      });
      outcomes.set(key, { query }, query.plan.packed.length + 2 * query.key.length, account);
      return { query };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AnalyzerUnavailableError) throw unavailable(error);
      if (!(error instanceof GatewayError)) throw error;
      // Transient errors aren't cached.
      if (error.status < 500 && error.details.retryAfterSeconds === undefined)
        outcomes.set(key, { refused: error }, refusalBytes + 2 * error.message.length, account);
      return { refused: error };
    }
  };
  const keyOf = (id: number, sql: string) => `${id} ${sql}`;
  return {
    async plan(endpoint, sql, account = ownAccount, signal = never, from = 'tables') {
      const { id, offer } = offerFor(endpoint, from);
      const key = keyOf(id, sql);
      const outcome = outcomes.get(key);
      if (outcome !== undefined) return queryOf(outcome);
      const waiter = { signal, staysUntilEnd: true };
      const outcomeOf = ({ signal }: Pick<Flight, 'signal'>) => work(offer, sql, key, account, signal);
      return queryOf(await inFlight.join(key, waiter, outcomeOf));
    },
    useCatalog(next) {
      packedCatalog = packed(next);
    },
    known(endpoint, sql, from = 'tables') {
      const outcome = outcomes.get(keyOf(offerFor(endpoint, from).id, sql));
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

/**
 * An engine's error about an ad-hoc query. If it refuses a construct of the caller's own text, the error tells its place
 * there, as errors of the analyzer do.
 *
 * @param text the text that the engine was given
 */
function placeRefusal(error: unknown, text: PlacedText): unknown {
  if (!(error instanceof UnsupportedError) || error.byteOffset === undefined) return error;
  const place = placeOfByte(text, error.byteOffset);
  if (place === undefined) return error;
  const message = `${error.message} [at ${place.line}:${place.column}]`;
  return new UnsupportedError(message, error.byteOffset, place);
}
