import { GatewayError } from '../../errors.ts';
import type { Value } from '../../sql/value.ts';
import type { Endpoint, EndpointParameter } from '../endpoint.ts';
import { textForms } from './parse-text.ts';

/** A caller's values as texts, by parameter name. Null counts as absent. */
export type GivenParameters = ReadonlyMap<string, string | null>;

/**
 * Returns a value for every declared parameter, in order, and ignores other keys. An absent optional parameter is NULL.
 * An empty one is NULL too, unless it is free text.
 *
 * @throws GatewayError BAD_USER_INPUT naming the parameter and what it expects
 */
export function coerceParameters(
  endpoint: Pick<Endpoint, 'parameters'>,
  given: GivenParameters,
): Map<string, Value> {
  return new Map(
    endpoint.parameters.map((parameter) => [
      parameter.name,
      coerceParameter(parameter, given.get(parameter.name) ?? null),
    ]),
  );
}

function coerceParameter(parameter: EndpointParameter, text: string | null): Value {
  const { name, type, required, values } = parameter;
  if (text === null || text === '') {
    if (required) throw refusal(name, ` is required${values ? `: ${alternatives(values)}` : ''}`);
    return text === '' && type.kind === 'STRING' && values === undefined ? '' : null;
  }
  if (values !== undefined && !values.includes(text)) {
    throw refusal(name, ` must be ${alternatives(values)}, not ${shown(text)}`);
  }
  const form = textForms[type.kind];
  if (form === undefined) throw new Error(`a text cannot be a value of type ${type.kind}`);
  const value = form.parse(text);
  if (value === undefined) {
    throw refusal(name, `: expected ${form.expected}, got ${shown(text)}${plusHint(type.kind, text)}`);
  }
  return value;
}

function refusal(parameter: string, problem: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `Parameter "${parameter}"${problem}.`, { parameter });
}

function alternatives(values: readonly string[]): string {
  return `one of ${values.join(', ')}`;
}

const longestShown = 60;

function shown(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
}

/** The plus sign of an offset becomes a space if it was not percent-encoded. */
function plusHint(kind: string, text: string): string {
  return kind === 'TIMESTAMP' && /:\d{1,2}(\.\d+)? \d{1,2}(:?\d\d)?$/.test(text)
    ? ' (in a URL, write + as %2B)'
    : '';
}
