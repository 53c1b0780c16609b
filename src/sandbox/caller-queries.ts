import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../sql/analyzer/error.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { CallerQuery } from './caller-query.ts';
import { type EndpointSandbox, endpointSandbox } from './endpoint-sandbox.ts';
import { defaultSandboxLimits, type SandboxLimits } from './limits.ts';
import { type CallerQueryPlanning, planCallerQuery } from './plan-caller-query.ts';
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
  sandbox: Promise<EndpointSandbox> | undefined;
}

/** What a kept outcome takes beside its text and its plan, in characters. */
const outcomeOverhead = 200;

/** Digests that are kept of texts that came once. */
const mostSeen = 10_000;

/**
 * Plans of repeated texts are kept, within `limits.cacheCharacters` for all endpoints together; the same text of
 * several callers at once is planned once.
 */
export function callerQueries({
  limits = defaultSandboxLimits,
  inTurn = (work) => work(),
  isBusy = () => false,
  ...rest
}: Omit<CallerQueryPlanning, 'limits'> & {
  readonly limits?: SandboxLimits;
  /** Does the work of planning when its turn has come, unless the signal is aborted before; at once without it. */
  readonly inTurn?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /**
   * Whether more is asked than can be planned at once. Then a plan is kept only of a text that comes again: in a flood of ever
   * new ones the garbage collector would move each into its old space, and stop everything when that is full.
   */
  readonly isBusy?: () => boolean;
}): CallerQueries {
  const planning: CallerQueryPlanning = { ...rest, limits };
  const outcomes = new LRUCache<string, Outcome>({ maxSize: limits.cacheCharacters });
  const seen = new LRUCache<string, true>({ max: mostSeen });
  const underWay = new Map<string, Planning>();
  const endpoints = new WeakMap<Endpoint, EndpointKnowledge>();
  let nextId = 0;

  const knowledgeOf = (endpoint: Endpoint): EndpointKnowledge => {
    let known = endpoints.get(endpoint);
    if (known === undefined) {
      known = { id: nextId++, sandbox: undefined };
      endpoints.set(endpoint, known);
    }
    return known;
  };
  const sandboxOf = (endpoint: Endpoint, known: EndpointKnowledge): Promise<EndpointSandbox> => {
    known.sandbox ??= endpointSandbox(endpoint, planning.analyzer).catch((error: unknown) => {
      known.sandbox = undefined;
      throw error;
    });
    return known.sandbox;
  };
  const keep = (key: string, outcome: Outcome, planSize = 0) => {
    if (isBusy()) {
      const digest = createHash('sha256').update(key).digest('base64url');
      if (!seen.get(digest)) return void seen.set(digest, true);
    }
    outcomes.set(key, outcome, { size: key.length + planSize + outcomeOverhead });
  };
  const work = async (endpoint: Endpoint, sql: string, key: string): Promise<Outcome> => {
    try {
      const sandbox = await sandboxOf(endpoint, knowledgeOf(endpoint));
      const query = await planCallerQuery(endpoint, sandbox, sql, planning);
      keep(key, { query }, query.plan.size);
      return { query };
    } catch (error) {
      if (error instanceof AnalyzerUnavailableError) throw unavailable(error);
      if (!(error instanceof GatewayError)) throw error;
      keep(key, { refused: error });
      return { refused: error };
    }
  };
  const begin = (endpoint: Endpoint, sql: string, key: string): Planning => {
    const controller = new AbortController();
    const forget = () => {
      if (underWay.get(key) === begun) underWay.delete(key);
    };
    const outcome = inTurn(() => work(endpoint, sql, key), controller.signal).finally(forget);
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
      const key = `${knowledgeOf(endpoint).id} ${sql}`;
      let outcome = outcomes.get(key);
      if (outcome === undefined) {
        // Each caller's own, also of those who wait for the same plan: their runs may differ.
        using _place = takePlace?.();
        const planning = underWay.get(key) ?? begin(endpoint, sql, key);
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

/** None of it is kept: the next time may be another. */
function unavailable(error: AnalyzerUnavailableError): GatewayError {
  if (error instanceof AnalyzerOverwhelmedError)
    return badInput(`The query is too complex. ${error.message}`);
  return new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error });
}
