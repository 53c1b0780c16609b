import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint, EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { hiddenClasses, type PiiClass } from '../../definitions/endpoints/pii-class.ts';
import type { Value } from '../../sql/values/value.ts';
import { authorise, authoriseTables, confinedError, refuseKeys } from '../access/authorise.ts';
import { type Caller, isBounded, type Payer } from '../access/caller/caller.ts';
import { redactedError } from '../redaction/redact-error.ts';
import {
  type AdHocQueries,
  type AdHocQuery,
  identityOf,
  parameterOf,
  type TableQuery,
} from './ad-hoc-query.ts';

/** The rows of a table as they arrive. */
interface TailRead {
  readonly table: EndpointTable;
  /** Filters in LQL. */
  readonly lql: string | undefined;
  /** The cursor of the event after which it goes on, as given. */
  readonly after?: string | undefined;
}

/** What is read instead of the stored query: an ad-hoc query, or the tail of a table. */
export type Reads = { readonly query: AdHocQuery } | { readonly tail: TailRead };

/** A call of an endpoint, as a protocol has parsed it. */
export interface CallToAuthorise {
  readonly caller: Caller;
  readonly payer: Payer;
  readonly endpoint: Endpoint;
  /** The texts that parameters are parsed from. */
  readonly given: GivenParameters;
  /** What is read. Called after the values are authorised, so that other callers learn nothing about the endpoint's tables. */
  readonly reads?: (() => Reads | undefined) | undefined;
  /** Whether the request asks for redaction. The endpoint or the key can require it as well. */
  readonly asksForRedaction: boolean;
}

/** The parts that authorisation uses. */
export interface AuthorisingParts {
  /** Plans ad-hoc queries. */
  readonly adHocQueries: AdHocQueries;
  /** Whether an endpoint, in this version, is served now. */
  readonly isServed: (endpoint: Endpoint) => boolean;
}

/** The outcome of authorisation. */
interface Granted extends Pick<CallToAuthorise, 'caller' | 'payer' | 'endpoint'> {
  readonly reads: Reads | undefined;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly hidden: readonly PiiClass[];
  readonly queries: AdHocQueries;
  readonly isServed: AuthorisingParts['isServed'];
}

/**
 * The original errors, by the errors that were made of them for a caller. For another caller, they are made of the
 * original again.
 */
const originals = new WeakMap<GatewayError, GatewayError>();

/** Known in this module only: nothing else can make a call that can be executed. */
const granting = Symbol('granting');

/**
 * A call that its caller may make: its values and tables are within the restrictions of the caller's key. The executor and
 * live answers accept nothing else. {@link authoriseCall} makes it; protocols have it as a `Call`.
 */
export class AuthorisedCall {
  readonly #granted: Granted;

  /** @param proof what only this module has */
  constructor(proof: typeof granting, granted: Granted) {
    if (proof !== granting) throw new TypeError('only authoriseCall makes calls');
    this.#granted = granted;
  }

  get endpoint(): Endpoint {
    return this.#granted.endpoint;
  }

  /** A value for every parameter that the endpoint declares, by name; NULL where it is absent. */
  get parameters(): ReadonlyMap<string, Value> {
    return this.#granted.parameters;
  }

  get payer(): Payer {
    return this.#granted.payer;
  }

  /** The classes of personal data that the caller may not see. */
  get hidden(): readonly PiiClass[] {
    return this.#granted.hidden;
  }

  /** The requested tail; undefined for other calls. */
  get tail(): TailRead | undefined {
    const { reads } = this.#granted;
    return reads !== undefined && 'tail' in reads ? reads.tail : undefined;
  }

  /** Identifies an ad-hoc query: equal texts of an endpoint have the same plan. Undefined if there is nothing to plan. */
  get text(): string | undefined {
    const query = this.#adHoc;
    return query && identityOf(query);
  }

  /**
   * The call with its plan, unless that has to be made first.
   *
   * @throws GatewayError if the query is known to be invalid, or reads tables that the caller may not
   */
  known(): PlannedCall | undefined {
    const { endpoint, queries, reads } = this.#granted;
    const query = this.#adHoc;
    if (query !== undefined) {
      const planned = queries.known(endpoint, query);
      return planned && this.with(planned);
    }
    if (reads === undefined) return new PlannedCall(granting, this.#granted, undefined);
    throw new TypeError('a tail is watched, not executed');
  }

  /**
   * Plans the ad-hoc query. The plan is the same for all callers; {@link with} says whether this one may run it.
   *
   * @param signal aborting it ends the work at its next step
   * @throws GatewayError if the query is invalid; the signal's reason, when the work has ended
   */
  async plan(signal: AbortSignal): Promise<TableQuery> {
    const { endpoint, payer, queries } = this.#granted;
    const query = this.#adHoc;
    if (query === undefined) throw new TypeError('there is nothing to plan');
    return queries.plan(endpoint, query, payer.account, signal);
  }

  /**
   * The call with its plan.
   *
   * @throws GatewayError as {@link known} and {@link plan}
   */
  async planned(signal: AbortSignal): Promise<PlannedCall> {
    return this.known() ?? this.with(await this.plan(signal));
  }

  /**
   * The call with a query over tables of its endpoint.
   *
   * @param query as planned, or the newest rows of a table
   * @throws GatewayError FORBIDDEN if the query reads tables that the caller may not
   */
  with(query: TableQuery): PlannedCall {
    const { caller, endpoint } = this.#granted;
    const tables = query.tables.map(({ name }) => endpoint.tables.find((table) => table.name === name));
    if (!tables.every((table) => table !== undefined)) {
      throw new TypeError('the query reads tables of another endpoint');
    }
    authoriseTables(caller, tables);
    return new PlannedCall(granting, this.#granted, query);
  }

  /**
   * The call of the same endpoint with a query instead of what it reads.
   *
   * @throws GatewayError BAD_USER_INPUT if its text contains a key
   */
  asking(query: AdHocQuery): AuthorisedCall {
    const reads = { query };
    refuseKeys(textsOf(reads));
    return new AuthorisedCall(granting, { ...this.#granted, reads });
  }

  /**
   * The call of the same endpoint with further parameters, which only the gateway gives.
   *
   * @param endpoint the endpoint with the declarations of these parameters
   * @param more their values
   */
  extended(endpoint: Endpoint, more: ReadonlyMap<string, Value>): AuthorisedCall {
    const { endpoint: own, parameters } = this.#granted;
    // Its version stands for the whole definition.
    const isOwn = endpoint.id === own.id && endpoint.version === own.version;
    if (!isOwn || own.parameters.some(({ name }) => more.has(name))) {
      throw new TypeError('an extended call keeps its endpoint and its values');
    }
    return new AuthorisedCall(granting, {
      ...this.#granted,
      endpoint,
      parameters: new Map([...parameters, ...more]),
    });
  }

  /**
   * Refuses the call if its endpoint was replaced since.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE
   */
  requireServed(): void {
    requireServed(this.#granted.endpoint, this.#granted.isServed);
  }

  /**
   * An error as the caller may see it: without values of rows that it may not see, and redacted. One that was made for another
   * caller is made from the original again.
   */
  shown(thrown: unknown): unknown {
    const { caller, hidden } = this.#granted;
    const original = (thrown instanceof GatewayError && originals.get(thrown)) || thrown;
    const shown = redactedError(confinedError(original, caller), hidden);
    if (shown instanceof GatewayError && original instanceof GatewayError) originals.set(shown, original);
    return shown;
  }

  /** Whether the caller may learn how a run was answered: that depends on rows that the caller of a restricted key may not see. */
  get seesRuns(): boolean {
    return !isBounded(this.#granted.caller);
  }

  get #adHoc(): AdHocQuery | undefined {
    const { reads } = this.#granted;
    return reads !== undefined && 'query' in reads ? reads.query : undefined;
  }
}

/** A call whose query has a plan, which the caller may run. */
export class PlannedCall extends AuthorisedCall {
  /** What runs instead of the stored query. */
  readonly query: TableQuery | undefined;

  constructor(proof: typeof granting, granted: Granted, query: TableQuery | undefined) {
    super(proof, granted);
    this.query = query;
  }

  override get text(): undefined {
    return undefined;
  }

  override known(): PlannedCall {
    return this;
  }
}

/**
 * Authorises a call, in the order in which all protocols do it: the endpoint, the texts and the values; the parameters are
 * parsed; then the tables, as far as they are known before an ad-hoc query is planned.
 *
 * @throws GatewayError FORBIDDEN; BAD_USER_INPUT for values that can't be parsed, or a text that contains a key;
 *   BACKEND_UNAVAILABLE if the endpoint was replaced since the protocol took it
 */
export function authoriseCall(
  { caller, payer, endpoint, given, reads: readsOf, asksForRedaction }: CallToAuthorise,
  { adHocQueries: queries, isServed }: AuthorisingParts,
): AuthorisedCall {
  const allowed = authorise(caller, endpoint, given);
  const reads = readsOf?.();
  refuseKeys(textsOf(reads));
  const parameters = coerceParameters(endpoint, allowed);
  if (reads !== undefined && 'tail' in reads) authoriseTables(caller, [reads.tail.table]);
  requireServed(endpoint, isServed);
  const hidden = hiddenClasses(endpoint, asksForRedaction || caller.redact);
  return new AuthorisedCall(granting, {
    caller,
    payer,
    endpoint,
    parameters,
    reads,
    hidden,
    queries,
    isServed,
  });
}

/**
 * Refuses an endpoint that is no longer served in this version: its columns may have been hidden since.
 *
 * @throws GatewayError BACKEND_UNAVAILABLE
 */
function requireServed(endpoint: Endpoint, isServed: AuthorisingParts['isServed']): void {
  if (!isServed(endpoint)) throw endpointChanged(endpoint);
}

/** The error of a call whose endpoint was replaced. The client asks again. */
export function endpointChanged({ name }: Endpoint): GatewayError {
  return new GatewayError('BACKEND_UNAVAILABLE', `The endpoint "${name}" has changed. Ask again.`, {
    retryAfterSeconds: 1,
  });
}

function textsOf(reads: Reads | undefined): GivenParameters {
  if (reads === undefined) return new Map();
  if ('query' in reads) return new Map([[parameterOf(reads.query), reads.query.text]]);
  const { lql = null, after = null } = reads.tail;
  return new Map([
    ['lql', lql],
    ['after', after],
  ]);
}
