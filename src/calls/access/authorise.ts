import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint, EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import type { EndpointParameter } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import {
  type GivenParameters,
  type GivenValue,
  textsIn,
} from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { type Bounds, type Caller, isBounded, isRestricted, mayQuerySources } from './caller/caller.ts';
import { holdsKeyText } from './key/key-text.ts';

/** The parameter that `projects` restricts. */
const projectParameter = 'project';

type Called = Pick<Endpoint, 'id' | 'name' | 'parameters' | 'operatorsOnly' | 'composition'>;

/** What decides which endpoints a caller may call. */
type Calling = Bounds & Partial<Pick<Caller, 'scopes'>>;

/**
 * Refuses an endpoint that the key may not call. A restricted key gets the same error for an endpoint that doesn't exist,
 * so that it doesn't learn which ones exist.
 *
 * @param endpoint undefined when none has that name
 * @throws GatewayError FORBIDDEN
 */
export function authoriseEndpoint(
  caller: Calling,
  endpoint: Called | undefined,
  named = endpoint?.name,
): void {
  const { endpoints } = caller;
  const isListed = endpoint !== undefined && (endpoints?.has(endpoint.id) || endpoints?.has(endpoint.name));
  if (endpoints !== undefined && !isListed)
    throw forbidden(`This key may not call the endpoint ${JSON.stringify(named)}.`);
  if (endpoint?.operatorsOnly && !mayQuerySources(caller))
    throw forbidden(
      `The endpoint ${JSON.stringify(named)} is for keys with the scope "tables" and without restrictions.`,
    );
}

/**
 * Returns the parameter texts of a call within the restrictions of its caller's key: the given ones, and pinned ones
 * that are absent. Texts are compared character by character, before anything parses them.
 * An endpoint that lacks a restricted parameter can't be called at all, because nothing would restrict its rows. Nor can one that
 * reads another endpoint without handing the parameter on.
 *
 * @param given the texts that parameters are parsed from, whatever their origin
 * @throws GatewayError FORBIDDEN; BAD_USER_INPUT if a text contains a key
 */
export function authorise(caller: Calling, endpoint: Called, given: GivenParameters): GivenParameters {
  authoriseEndpoint(caller, endpoint);
  refuseKeys(given);
  const { projects, pins } = caller;
  if (projects === undefined && pins === undefined) return given;
  const texts = new Map(given);
  for (const [parameter, value] of pins ?? []) {
    const isArray = requireParameter(endpoint, parameter).type.kind === 'ARRAY';
    const pinned = isArray ? [value] : value;
    const text = texts.get(parameter) ?? pinned;
    if (!consistsOf(text, (each) => each === value)) {
      throw notAllowed(parameter, `${JSON.stringify(value)} only`);
    }
    texts.set(parameter, text);
  }
  if (projects !== undefined) {
    requireParameter(endpoint, projectParameter);
    const text = texts.get(projectParameter) ?? null;
    if (!consistsOf(text, (each) => projects.has(each))) {
      throw notAllowed(projectParameter, alternatives(projects));
    }
  }
  return texts;
}

/**
 * Refuses tables of an endpoint that have rows on which a restricted parameter puts no condition. The condition may be in a
 * later part of the stored query, which doesn't apply to the tables themselves.
 *
 * @throws GatewayError FORBIDDEN
 */
export function authoriseTables(caller: Bounds, tables: readonly EndpointTable[]): void {
  for (const { name, boundBy } of tables) {
    const missing = missingIn(boundBy, caller);
    if (missing === undefined) continue;
    throw forbidden(
      `This key is bound to values of the parameter "${missing}", which the table ${JSON.stringify(name)} does not depend on.`,
    );
  }
}

/**
 * Refuses uploads by a key that is restricted to projects or values, because nothing would restrict the uploaded rows.
 *
 * @throws GatewayError FORBIDDEN
 */
export function authoriseRows({ projects, pins }: Bounds): void {
  if (projects === undefined && pins === undefined) return;
  throw forbidden('This key is bound to values of parameters, so it cannot add rows.');
}

/**
 * Refuses deletions by a key that sees only some of the data, because nothing would restrict the deleted rows. One that is restricted
 * to sources may delete their rows.
 *
 * @throws GatewayError FORBIDDEN
 */
export function authoriseDeletion(caller: Bounds): void {
  if (isBounded(caller)) throw forbidden('This key does not have permission to do that.');
}

/**
 * Refuses a restricted key, for what covers everything, such as metrics.
 *
 * @throws GatewayError FORBIDDEN
 */
export function requireUnrestricted(caller: Bounds): void {
  if (isRestricted(caller)) throw forbidden('This key does not have permission to do that.');
}

/** Whether there is a value, and each text in it is allowed. An empty array is none: it may mean that anything is wanted. */
function consistsOf(given: GivenValue, isAllowed: (text: string) => boolean): boolean {
  const texts = textsIn(given);
  return texts.length > 0 && texts.every(isAllowed);
}

function requireParameter(endpoint: Called, parameter: string) {
  const { name, parameters } = endpoint;
  const declared = parameters.find((each) => each.name === parameter);
  if (declared !== undefined && reachesAll(endpoint, parameter)) return declared;
  if (declared !== undefined)
    throw forbidden(
      `This key is bound to values of the parameter "${parameter}", which do not reach all that the endpoint ${JSON.stringify(name)} reads.`,
    );
  throw forbidden(
    `This key is bound to values of the parameter "${parameter}", which the endpoint ${JSON.stringify(name)} doesn't have.`,
  );
}

/** Whether every query within the endpoint's gets the value of this parameter, if it has a parameter of that name. */
function reachesAll({ composition }: Called, parameter: string): boolean {
  return composition?.unreached.includes(parameter.toLowerCase()) !== true;
}

const maxListed = 10;

function alternatives(values: ReadonlySet<string>): string {
  if (values.size > maxListed) return `${values.size} values only`;
  return `${[...values].map((value) => JSON.stringify(value)).join(' or ')} only`;
}

/** Describes the restrictions of the key, which its holder may know, and nothing that was given. */
function notAllowed(parameter: string, allowed: string): GatewayError {
  const message = `Parameter "${parameter}": this key allows ${allowed}.`;
  return new GatewayError('FORBIDDEN', message, { parameter });
}

function forbidden(message: string): GatewayError {
  return new GatewayError('FORBIDDEN', message);
}

/** Whether the key may call the endpoint with some values of its parameters: {@link authorise} refuses all others. */
export function mayCall(caller: Calling, endpoint: Called): boolean {
  const { id, name, parameters, operatorsOnly } = endpoint;
  if (operatorsOnly && !mayQuerySources(caller)) return false;
  const { endpoints } = caller;
  if (endpoints !== undefined && !endpoints.has(id) && !endpoints.has(name)) return false;
  return boundParameters(caller).every(
    (bound) => parameters.some((parameter) => parameter.name === bound) && reachesAll(endpoint, bound),
  );
}

/** Whether ad-hoc queries of the key may read the table: {@link authoriseTables} refuses all others. */
export function mayRead(caller: Bounds, { boundBy }: Pick<EndpointTable, 'boundBy'>): boolean {
  return missingIn(boundBy, caller) === undefined;
}

/** A parameter that would restrict the caller, but not these rows. An empty text restricts none: it may mean that anything is wanted. */
function missingIn(boundBy: EndpointTable['boundBy'], caller: Bounds): string | undefined {
  return boundParameters(caller).find((bound) => !boundBy.has(bound) || caller.pins?.get(bound) === '');
}

/** The parameters whose values the key restricts. */
function boundParameters({ projects, pins }: Bounds): string[] {
  return [...(projects === undefined ? [] : [projectParameter]), ...(pins?.keys() ?? [])];
}

/**
 * A parameter with the values that the key allows. A pinned value is its default. A restricted project must be given,
 * even if the endpoint has a default.
 */
export function parameterWithin({ projects, pins }: Bounds, parameter: EndpointParameter): EndpointParameter {
  const { name, values, example, default: _, ...others } = parameter;
  const pin = pins?.get(name);
  if (pin !== undefined) return { ...others, name, values: [pin], default: pin, required: false };
  if (projects === undefined || name !== projectParameter) return parameter;
  const allowed = [...projects].filter((project) => values === undefined || values.includes(project));
  const isAllowed = typeof example === 'string' && projects.has(example);
  const shown = isAllowed ? example : allowed[0];
  return { ...others, name, values: allowed, required: true, ...(shown !== undefined && { example: shown }) };
}

/** Message without row values, for callers who may not see all rows. */
export function confinedError(thrown: unknown, caller: Bounds): unknown {
  if (!(thrown instanceof GatewayError) || !isBounded(caller)) return thrown;
  const { withoutValues } = thrown.details;
  return withoutValues === undefined ? thrown : new GatewayError(thrown.code, withoutValues, thrown.details);
}

/**
 * Refuses parameters that contain a key by mistake: values are stored with results, also in Redis, and BigQuery stores them
 * with its jobs.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function refuseKeys(given: GivenParameters): void {
  for (const [parameter, value] of given) {
    if (!holdsKeyText(parameter) && !textsIn(value).some(holdsKeyText)) continue;
    const message = `Parameter ${JSON.stringify(parameter)} contains an API key. Send keys in headers only.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter });
  }
}
