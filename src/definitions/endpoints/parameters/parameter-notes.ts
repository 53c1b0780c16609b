import type { EndpointParameter } from './endpoint-parameter.ts';
import { textsIn } from './given.ts';

interface NotedParameter extends Pick<EndpointParameter, 'required' | 'values' | 'default'> {
  /** See `describeRules`. */
  readonly rules: readonly string[];
}

/** What there is to know of a parameter besides its type, for people: `optional; from 1 to 10; default 5`. */
export function parameterNotes({ required, values, rules, default: used }: NotedParameter): string {
  return [
    required ? 'required' : 'optional',
    ...(values === undefined ? [] : [`one of ${values.join(', ')}`]),
    ...rules,
    ...(used === undefined ? [] : [`default ${textsIn(used).join(', ')}`]),
  ].join('; ');
}
