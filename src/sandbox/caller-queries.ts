import { LRUCache } from 'lru-cache';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../sql/analyzer/error.ts';
import { type Packed, packed } from '../sql/packed.ts';
import type { Plan } from '../sql/plan.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { CallerQuery } from './caller-query.ts';
import { type Offer, offerOf } from './endpoint-sandbox.ts';
import { defaultSandboxLimits, type SandboxLimits } from './limits.ts';
import type { CallerText } from './plan-caller-query.ts';
import { badInput } from './refusal.ts';

/** Plans the queries that callers bring along. */
export interface CallerQueries {
  /**
   * The plan of a caller's query on an endpoint's tables. It runs as one of the endpoint's tables would, and
   * `endpoint.maxRows` is its limit.
   *
   * @param sql GoogleSQL text, as the caller sent it
   * @param signal aborting it ends this caller's wait, with the signal's reason
   * @param takePlace has a place kept where the query goes from here, for as long as its caller waits for the plan; not called when
   *   the plan is there already
   * @throws GatewayError BAD_USER_INPUT, SANDBOX_VIOLATION, QUERY_FAILED; BACKEND_UNAVAILABLE when there is no analyzer; OVERLOADED
   */
  plan(
    endpoint: Endpoint,
    sql: string,
    signal?: AbortSignal,
    takePlace?: () => Disposable,
  ): Promise<CallerQuery>;
}

/** A text is either allowed or not, today and tomorrow: both are kept. */
type Outcome = { readonly query: CallerQuery } | { readonly refused: GatewayError };

/** Planning that is under way, or waits for its turn. */
interface Planning {
  readonly outcome: Promise<Outcome>;
  /** How many callers wait for it. */
  waiting: number;
  /** Nobody waits any more. */
  giveUp(): void;
}

/** What is known of one version of an endpoint. An endpoint that is loaded anew is another object. */
interface EndpointKnowledge {
  readonly id: number;
  readonly offer: Packed<Offer>;
}

export interface CallerQueriesParts {
  /** Does what `planCallerQuery` does. */
  readonly planText: (text: CallerText) => Promise<CallerQuery>;
  /** The tables of stored queries. */
  readonly catalog: Catalog;
  /** Refuses, by a GatewayError, a plan that the engine can't run. */
  readonly checkPlan: (plan: Plan) => Promise<void>;
  readonly limits?: SandboxLimits;
  /** Does the work of planning when its turn has come, unless the signal is aborted before; at once without it. */
  readonly inTurn?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
}

/** What a kept outcome takes beside its text and its plan, in bytes. */
const outcomeOverhead = 200;

/**
 * Plans of repeated texts are kept, within `limits.cacheCharacters` for all endpoints together; the same text of
 * several callers at once is planned once.
 */
export function callerQueries({
  planText,
  catalog,
  checkPlan,
  limits = defaultSandboxLimits,
  inTurn = (work) => work(),
}: CallerQueriesParts): CallerQueries {
  const packedCatalog = packed(catalog);
  const outcomes = new LRUCache<string, Outcome>({ maxSize: limits.cacheCharacters });
  const underWay = new Map<string, Planning>();
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
  const work = async (offer: Packed<Offer>, sql: string, key: string): Promise<Outcome> => {
    try {
      const query = await planText({ sql, offer, catalog: packedCatalog, limits });
      await checkPlan(query.plan);
      keep(key, { query }, query.plan.packed.length);
      return { query };
    } catch (error) {
      if (error instanceof AnalyzerUnavailableError) throw unavailable(error);
      if (!(error instanceof GatewayError)) throw error;
      // What passes isn't kept: the next time may be another.
      if (error.status < 500) keep(key, { refused: error });
      return { refused: error };
    }
  };
  const begin = (offer: Packed<Offer>, sql: string, key: string): Planning => {
    const controller = new AbortController();
    const forget = () => {
      if (underWay.get(key) === begun) underWay.delete(key);
    };
    const outcome = inTurn(() => work(offer, sql, key), controller.signal).finally(forget);
    outcome.catch(() => {});
    const giveUp = () => {
      forget();
      controller.abort(new Error('nobody waits for the plan any more'));
    };
    const begun: Planning = { outcome, waiting: 0, giveUp };
    underWay.set(key, begun);
    return begun;
  };
  return {
    async plan(endpoint, sql, signal, takePlace) {
      const { id, offer } = knowledgeOf(endpoint);
      const key = `${id} ${sql}`;
      let outcome = outcomes.get(key);
      if (outcome === undefined) {
        // Each caller's own, also of those who wait for the same plan: their runs may differ.
        using _place = takePlace?.();
        const planning = underWay.get(key) ?? begin(offer, sql, key);
        planning.waiting++;
        try {
          outcome = await (signal ? unlessAborted(() => planning.outcome, signal) : planning.outcome);
        } finally {
          if (--planning.waiting === 0) planning.giveUp();
        }
      }
      if ('refused' in outcome) throw outcome.refused;
      return outcome.query;
    },
  };
}

function unavailable(error: AnalyzerUnavailableError): GatewayError {
  if (error instanceof AnalyzerOverwhelmedError)
    return badInput(`The query is too complex. ${error.message}`);
  return new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error });
}
