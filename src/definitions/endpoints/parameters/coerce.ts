import type { Value } from '../../../sql/values/value.ts';
import type { EndpointParameter } from './endpoint-parameter.ts';
import { type GivenParameters, type GivenValue, maxItemsOf, textsIn } from './endpoint-parameter.ts';
import { alternatives, badValue, beginReading, ofElement, tooManyItems } from './rules.ts';

/**
 * Returns a value for every declared parameter, in order, and ignores other keys. An absent optional parameter has its
 * default. Without a default it is NULL, or an array without elements: BigQuery's array parameters can't be NULL. An
 * empty text counts as absent, unless it is free text.
 *
 * @throws GatewayError BAD_USER_INPUT naming the parameter, the rule and the value
 */
export function coerceParameters(
  endpoint: { readonly parameters: readonly EndpointParameter[] },
  given: GivenParameters,
): Map<string, Value> {
  return new Map(
    endpoint.parameters.map((parameter) => [
      parameter.name,
      coerceParameter(parameter, given.get(parameter.name) ?? null),
    ]),
  );
}

function coerceParameter(parameter: EndpointParameter, given: GivenValue): Value {
  const { name, type, required, values } = parameter;
  if (required && (given === null || given.length === 0)) {
    throw badValue(name, ` is required${values ? `: ${alternatives(values)}` : ''}`);
  }
  const isFreeText = type.kind === 'STRING' && values === undefined;
  const used = given === null || (given === '' && !isFreeText) ? (parameter.default ?? null) : given;
  if (type.kind === 'ARRAY') return arrayValue(parameter, textsIn(used));
  if (used === null) return null;
  if (typeof used !== 'string') throw new TypeError(`The parameter ${name} is given an array`);
  const outcome = beginReading(parameter)(used);
  if ('problem' in outcome) throw badValue(name, outcome.problem);
  return outcome.value;
}

function arrayValue(parameter: EndpointParameter, texts: readonly string[]): Value {
  const { name } = parameter;
  const maxItems = maxItemsOf(parameter);
  if (texts.length > maxItems) throw badValue(name, tooManyItems(maxItems, texts.length));
  const read = beginReading(parameter);
  return texts.map((text, index) => {
    const outcome = read(text);
    if ('problem' in outcome) throw badValue(name, ofElement(index + 1, outcome.problem));
    return outcome.value;
  });
}
