import type { Endpoint, EndpointTable } from '../endpoints/endpoint.ts';
import type { GivenParameters } from '../endpoints/parameters/coerce.ts';
import { GatewayError } from '../errors.ts';
import { type Bounds, isBounded } from './caller.ts';
import { refuseKeys } from './refuse-keys.ts';

/** The parameter that projects are given by. */
const projectParameter = 'project';

type Called = Pick<Endpoint, 'id' | 'name' | 'parameters'>;

/**
 * Refuses an endpoint that the key may not call. Of endpoints that aren't there, a key that is bound to some of them is told
 * the same: it doesn't learn what there is.
 *
 * @param endpoint undefined when there is none of that name
 * @throws GatewayError FORBIDDEN
 */
export function authoriseEndpoint(
  { endpoints }: Bounds,
  endpoint: Called | undefined,
  named = endpoint?.name,
): void {
  if (endpoints === undefined) return;
  if (endpoint !== undefined && (endpoints.has(endpoint.id) || endpoints.has(endpoint.name))) return;
  throw forbidden(`This key may not call the endpoint ${JSON.stringify(named)}.`);
}

/**
 * What a call within the bounds of its caller's key is to run with: the given texts, and the pinned ones that are absent. They
 * are compared as they are, character by character, before anything reads them.
 *
 * An endpoint without a parameter that the key binds can't be called at all: nothing would keep it to what the key may see.
 *
 * @param given the texts that parameters are read from, from wherever they came
 * @throws GatewayError FORBIDDEN; BAD_USER_INPUT where a key stands in a text
 */
export function authorise(caller: Bounds, endpoint: Called, given: GivenParameters): GivenParameters {
  authoriseEndpoint(caller, endpoint);
  refuseKeys(given);
  const { projects, pins } = caller;
  if (projects === undefined && pins === undefined) return given;
  const texts = new Map(given);
  for (const [parameter, value] of pins ?? []) {
    requireParameter(endpoint, parameter);
    const text = texts.get(parameter) ?? value;
    if (text !== value) throw notAllowed(parameter, `${JSON.stringify(value)} only`);
    texts.set(parameter, value);
  }
  if (projects !== undefined) {
    requireParameter(endpoint, projectParameter);
    const text = texts.get(projectParameter) ?? undefined;
    if (text === undefined || !projects.has(text)) {
      throw notAllowed(projectParameter, alternatives(projects));
    }
  }
  return texts;
}

/**
 * Refuses tables of an endpoint whose rows don't depend on each parameter that the key binds: what keeps the endpoint's own answers
 * to the values may stand behind them, in a part of its query that doesn't apply to tables by themselves.
 *
 * @throws GatewayError FORBIDDEN
 */
export function authoriseTables({ projects, pins }: Bounds, tables: readonly EndpointTable[]): void {
  const bound = [...(projects === undefined ? [] : [projectParameter]), ...(pins?.keys() ?? [])];
  for (const { name, boundBy } of tables) {
    const missing = bound.find((parameter) => !boundBy.has(parameter));
    if (missing === undefined) continue;
    throw forbidden(
      `This key is bound to values of the parameter "${missing}", on which the table ${JSON.stringify(name)} doesn't depend.`,
    );
  }
}

/**
 * Refuses rows from a key that is bound to projects or values: nothing would keep the rows to them.
 *
 * @throws GatewayError FORBIDDEN
 */
export function authoriseRows({ projects, pins }: Bounds): void {
  if (projects === undefined && pins === undefined) return;
  throw forbidden('This key is bound to values of parameters, and may not add rows.');
}

/**
 * Refuses the metrics to a key that sees only some of what there is: they are about all of it.
 *
 * @throws GatewayError FORBIDDEN
 */
export function authoriseMetrics(caller: Bounds): void {
  if (isBounded(caller)) throw forbidden('This key may not do that.');
}

function requireParameter({ name, parameters }: Called, parameter: string): void {
  if (parameters.some((declared) => declared.name === parameter)) return;
  throw forbidden(
    `This key is bound to values of the parameter "${parameter}", which the endpoint ${JSON.stringify(name)} doesn't have.`,
  );
}

const mostListed = 10;

function alternatives(values: ReadonlySet<string>): string {
  if (values.size > mostListed) return `${values.size} values only`;
  return `${[...values].map((value) => JSON.stringify(value)).join(' or ')} only`;
}

/** Says what the key may ask, which its holder may know, and nothing of what was given. */
function notAllowed(parameter: string, allowed: string): GatewayError {
  const message = `Parameter "${parameter}": this key may ask for ${allowed}, literally.`;
  return new GatewayError('FORBIDDEN', message, { parameter });
}

function forbidden(message: string): GatewayError {
  return new GatewayError('FORBIDDEN', message);
}
