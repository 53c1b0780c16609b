import type { EndpointParameter } from './endpoint-parameter.ts';

/** A value for examples of a parameter: its example, else its default, else its first allowed value. Undefined if it has none. */
export function exampleOf({
  type,
  example,
  default: used,
  values,
}: EndpointParameter): string | readonly string[] | undefined {
  const [first] = values ?? [];
  return example ?? used ?? (first !== undefined && type.kind === 'ARRAY' ? [first] : first);
}
