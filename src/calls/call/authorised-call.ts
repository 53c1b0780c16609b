import { GatewayError } from '../../base/errors/errors.ts';
import { chosenClass, type QueryClass } from '../../definitions/classes/query-class.ts';
import type { Endpoint, EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { hiddenClasses, type PiiClass } from '../../definitions/endpoints/pii-class.ts';
import { canonicalValue } from '../../sql/values/canonical-value.ts';
import type { Value } from '../../sql/values/value.ts';
import { authorise, authoriseTables, confinedError, refuseKeys } from '../access/authorise.ts';
import { type Caller, isBounded, type Payer } from '../access/caller/caller.ts';
import type { AskedQuery } from '../records/call-record.ts';
import { redactedError } from '../redaction/redact-error.ts';
import {
  type AdHocQueries,
  type AdHocQuery,
  identityOf,
  parameterOf,
  type TableQuery,
} from './ad-hoc-query.ts';
import type { CursorScope, Cursors } from './cursors.ts';
import type { Page, PageRequest, Place } from './page.ts';
import type { PageQueries } from './page-queries.ts';

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

/** What a granted call reads: a table as a whole, too. */
type GrantedReads = Reads | { readonly table: EndpointTable };

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
  readonly paging: Paging;
}

/** What pages of results need. */
export interface Paging {
  /** Derives pages from queries. */
  readonly queries: PageQueries;
  readonly cursors: Cursors;
}

/** The outcome of authorisation. */
interface Granted extends Pick<CallToAuthorise, 'caller' | 'payer' | 'endpoint'> {
  readonly reads: GrantedReads | undefined;
  /** Undefined if the whole result is wanted. */
  readonly page?: Page;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly hidden: readonly PiiClass[];
  readonly parts: AuthorisingParts;
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

  get caller(): Caller {
    return this.#granted.caller;
  }

  /** What is asked, for the record of the call. */
  get asked(): AskedQuery {
    return { form: this.#form, class: this.class, parameters: this.parameters };
  }

  get #form(): AskedQuery['form'] {
    const { reads, endpoint } = this.#granted;
    if (endpoint.isDraft) return 'draft';
    if (reads === undefined) return 'stored';
    if (!('query' in reads)) return 'table';
    const { language } = reads.query;
    return language === 'rows' ? 'filter' : language;
  }

  /** The class in which its query waits and runs. */
  get class(): QueryClass {
    return this.#classOr('default');
  }

  /** The class in which its export waits and runs. */
  get exportClass(): QueryClass {
    return this.#classOr('background');
  }

  #classOr(otherwise: QueryClass): QueryClass {
    const { endpoint, payer } = this.#granted;
    return chosenClass({ endpoint: endpoint.class, key: payer.class, atMost: payer.atMost, otherwise });
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

  /**
   * Identifies a query that has to be planned: equal texts of an endpoint have the same plan. Undefined if there is nothing to
   * plan.
   */
  get text(): string | undefined {
    const { page } = this.#granted;
    return page === undefined ? this.#readsText : `${JSON.stringify(page)} ${this.#readsText ?? ''}`;
  }

  get #readsText(): string | undefined {
    const { reads } = this.#granted;
    if (reads !== undefined && 'table' in reads) return `table ${reads.table.name}`;
    const query = this.#adHoc;
    return query && identityOf(query);
  }

  /**
   * The call with its plan, unless that has to be made first.
   *
   * @throws GatewayError if the query is known to be invalid, or reads tables that the caller may not
   */
  known(): PlannedCall | undefined {
    const { endpoint, parts, reads, page, parameters } = this.#granted;
    const query = this.#adHoc;
    const base = query === undefined ? this.#baseOfPage : parts.adHocQueries.known(endpoint, query);
    if (page !== undefined) {
      const paged = base && parts.paging.queries.known(endpoint, base, page, parameters);
      return paged && this.with(paged);
    }
    if (query !== undefined) return base && this.with(base);
    if (reads === undefined) return new PlannedCall(granting, this.#granted, undefined);
    throw new TypeError('a tail is watched, and a table is read in pages, not executed');
  }

  /**
   * Plans the ad-hoc query, or the page. The plan is the same for all callers; {@link with} says whether this one may run it.
   *
   * @param signal aborting it ends the work at its next step
   * @throws GatewayError if the query is invalid; the signal's reason, when the work has ended
   */
  async plan(signal: AbortSignal): Promise<TableQuery> {
    const { endpoint, payer, parts, page, parameters } = this.#granted;
    const { account } = payer;
    const query = this.#adHoc;
    if (query === undefined && page === undefined) throw new TypeError('there is nothing to plan');
    const base =
      query === undefined
        ? this.#baseOfPage
        : await parts.adHocQueries.plan(endpoint, query, account, signal);
    return page === undefined
      ? base
      : parts.paging.queries.plan(endpoint, base, page, parameters, account, signal);
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
   * @param query as planned
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
   * The call for the newest rows of a table instead of the stored query.
   *
   * @throws GatewayError FORBIDDEN if the caller may not read the table
   */
  newestRows(table: EndpointTable, maxRows: number): PlannedCall {
    authoriseTables(this.#granted.caller, [table]);
    const query = { canonical: `table ${table.name}`, plan: table.plan, maxRows, tables: [table] };
    return new PlannedCall(granting, { ...this.#granted, reads: { table } }, query);
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
   * The call for a page of the result: of the ad-hoc query, of a table, or of the stored query.
   *
   * @throws GatewayError BAD_USER_INPUT for a number of rows beyond the endpoint's; INVALID_CURSOR; FORBIDDEN
   */
  paged({ rows, after }: PageRequest, table?: EndpointTable): AuthorisedCall {
    const { caller, endpoint, parts } = this.#granted;
    if (!(Number.isInteger(rows) && rows >= 1 && rows <= endpoint.maxRows)) {
      throw new GatewayError(
        'BAD_USER_INPUT',
        `A page has from 1 to ${endpoint.maxRows} rows, the maximum of the endpoint: got ${rows}.`,
      );
    }
    if (table !== undefined) authoriseTables(caller, [table]);
    const reads = table === undefined ? this.#granted.reads : { table };
    const whole = new AuthorisedCall(granting, { ...this.#granted, reads });
    const from = after === undefined ? undefined : parts.paging.cursors.open(whole.#cursorScope, after);
    return new AuthorisedCall(granting, { ...this.#granted, reads, page: { rows, from } });
  }

  /**
   * The cursor of a place in the result of this call, for its caller only.
   *
   * @throws GatewayError QUERY_FAILED if the values of the place are too long
   */
  cursor(place: Place): string {
    return this.#granted.parts.paging.cursors.seal(this.#cursorScope, place);
  }

  /** The parameters stand for their texts: how they were written makes no difference. */
  get #cursorScope(): CursorScope {
    const { caller, endpoint, parameters, payer } = this.#granted;
    const { endpoints, projects, pins } = caller;
    const sorted = (values: Iterable<unknown> | undefined) =>
      values === undefined ? null : [...values].map((value) => JSON.stringify(value)).sort();
    const request = JSON.stringify([
      endpoint.id,
      this.#readsText,
      endpoint.parameters.map(({ name }) => [name, canonicalValue(parameters.get(name) ?? null)]),
      payer.account,
      [sorted(endpoints), sorted(projects), sorted(pins)],
    ]);
    return { request, version: endpoint.version };
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
    requireServed(this.#granted.endpoint, this.#granted.parts.isServed);
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

  /** The query whose rows are read in pages, if it isn't an ad-hoc one. */
  get #baseOfPage(): TableQuery {
    const { endpoint, reads } = this.#granted;
    const { maxRows } = endpoint;
    if (reads === undefined) return { canonical: 'stored', plan: endpoint.plan, maxRows, tables: [] };
    if (!('table' in reads)) throw new TypeError('a tail has no pages');
    const { table } = reads;
    return { canonical: `table ${table.name}`, plan: table.plan, maxRows, tables: [table] };
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
  parts: AuthorisingParts,
): AuthorisedCall {
  const allowed = authorise(caller, endpoint, given);
  const reads = readsOf?.();
  refuseKeys(textsOf(reads));
  const parameters = coerceParameters(endpoint, allowed);
  if (reads !== undefined && 'tail' in reads) authoriseTables(caller, [reads.tail.table]);
  requireServed(endpoint, parts.isServed);
  const hidden = hiddenClasses(endpoint, asksForRedaction || caller.redact);
  return new AuthorisedCall(granting, {
    caller,
    payer,
    endpoint,
    parameters,
    reads,
    hidden,
    parts,
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
