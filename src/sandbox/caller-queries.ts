import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../sql/analyzer/error.ts';
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
   * @throws GatewayError BAD_USER_INPUT, SANDBOX_VIOLATION, QUERY_FAILED; BACKEND_UNAVAILABLE when there is no analyzer
   */
  plan(endpoint: Endpoint, sql: string): Promise<CallerQuery>;
  /**
   * The same, if it is at hand.
   *
   * @throws GatewayError when it is at hand why there is none
   */
  known(endpoint: Endpoint, sql: string): CallerQuery | undefined;
}

/** A text is either allowed or not, today and tomorrow: both are kept. */
type Outcome = { readonly query: CallerQuery } | { readonly refused: GatewayError };

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
  isBusy = () => false,
  ...rest
}: Omit<CallerQueryPlanning, 'limits'> & {
  readonly limits?: SandboxLimits;
  /**
   * Whether more is asked than can be planned at once. Then a plan is kept only of a text that comes again: in a flood of ever
   * new ones the garbage collector would move each into its old space, and stop everything when that is full.
   */
  readonly isBusy?: () => boolean;
}): CallerQueries {
  const planning: CallerQueryPlanning = { ...rest, limits };
  const outcomes = new LRUCache<string, Outcome>({ maxSize: limits.cacheCharacters });
  const seen = new LRUCache<string, true>({ max: mostSeen });
  const underWay = new Map<string, Promise<Outcome>>();
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
  const keyOf = (endpoint: Endpoint, sql: string) => `${knowledgeOf(endpoint).id} ${sql}`;
  return {
    async plan(endpoint, sql) {
      const key = keyOf(endpoint, sql);
      const known = outcomes.get(key);
      if (known !== undefined) return queryOf(known);
      let planning = underWay.get(key);
      if (planning === undefined) {
        planning = work(endpoint, sql, key).finally(() => underWay.delete(key));
        underWay.set(key, planning);
      }
      return queryOf(await planning);
    },
    known(endpoint, sql) {
      const outcome = outcomes.get(keyOf(endpoint, sql));
      return outcome && queryOf(outcome);
    },
  };
}

function queryOf(outcome: Outcome): CallerQuery {
  if ('refused' in outcome) throw outcome.refused;
  return outcome.query;
}

/** None of it is kept: the next time may be another. */
function unavailable(error: AnalyzerUnavailableError): GatewayError {
  if (error instanceof AnalyzerOverwhelmedError)
    return badInput(`The query is too complex. ${error.message}`);
  return new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error });
}
