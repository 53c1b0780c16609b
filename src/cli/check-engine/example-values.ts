import type { EndpointParameter } from '../../endpoints/endpoint.ts';
import { textForms } from '../../endpoints/parameters/parse-text.ts';
import type { Value } from '../../sql/value.ts';

/** Values to try an endpoint with: of each parameter its example, else the first that is allowed, else NULL. */
export function exampleValues(parameters: readonly EndpointParameter[]): ReadonlyMap<string, Value> {
  return new Map(parameters.map((parameter) => [parameter.name, exampleValue(parameter)]));
}

function exampleValue({ type, example, values }: EndpointParameter): Value {
  const text = example ?? values?.[0];
  return text === undefined ? null : (textForms[type.kind]?.parse(text) ?? null);
}
