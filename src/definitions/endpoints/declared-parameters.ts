import type { EndpointParameter } from './parameters/endpoint-parameter.ts';
import { parameterType } from './parameters/endpoint-parameter.ts';
import type { EndpointSettings } from './settings.ts';
import { withoutUndefined } from './without-undefined.ts';

/** The parameters of an endpoint, as declared in its settings. */
export function declaredParameters(parameters: EndpointSettings['parameters']): EndpointParameter[] {
  return Object.entries(parameters).map(([name, { type, required, ...optional }]) => ({
    name,
    type: parameterType(type),
    required,
    ...withoutUndefined(optional),
  }));
}
