import { counted } from '../../../base/text/counted.ts';
import { type EndpointParameter, maxItemsOf, textsIn, typeOfTexts } from './endpoint-parameter.ts';

/** What a parameter accepts besides its type, for people: `from 1 to 10`, `at most 20 characters`. */
export function describeRules(parameter: EndpointParameter): string[] {
  const { type, min, max, pattern, maxLength } = parameter;
  const unit = typeOfTexts(type).kind === 'BYTES' ? 'byte' : 'character';
  const ofValue = [
    ...rangeText(min, max),
    ...(maxLength === undefined ? [] : [`at most ${counted(maxLength, unit)}`]),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
  ];
  if (type.kind !== 'ARRAY') return ofValue;
  const items = `at most ${counted(maxItemsOf(parameter), 'element')}`;
  return [items, ...ofValue.map((rule) => `each ${rule}`)];
}

function rangeText(min: string | undefined, max: string | undefined): string[] {
  if (min !== undefined && max !== undefined) return [`from ${min} to ${max}`];
  if (min !== undefined) return [`at least ${min}`];
  return max === undefined ? [] : [`at most ${max}`];
}

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
