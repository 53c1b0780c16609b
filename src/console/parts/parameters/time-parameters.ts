import type { Parameter } from '../../api/endpoints.ts';
import type { TimeRange } from '../chart/time-range.ts';

const iso = /^\d{4}-\d\d-\d\d/;
const ofTime = /(^|_)(timestamp|datetime|date|time)(_|$)/i;
const isStart = /(^|_)(start|from|since|after|begin|min)(_|$)/i;
const isEnd = /(^|_)(end|to|until|before|till|max)(_|$)/i;

/** Whether a parameter's values are times: by its type, or for texts by its name, example and description. */
export function isTime({ type, name, example, description, values }: Parameter): boolean {
  if (['TIMESTAMP', 'DATETIME', 'DATE'].includes(type)) return true;
  if (type !== 'STRING' || values !== null) return false;
  if (typeof example === 'string') return iso.test(example);
  return ofTime.test(name) && /ISO 8601|RFC 3339/.test(description);
}

/** The parameters that bound an endpoint's rows in time. */
export interface RangeParameters {
  readonly start: Parameter;
  readonly end: Parameter;
}

/** The pair of parameters for the start and the end of a span, if there is exactly one. */
export function rangeParameters(parameters: readonly Parameter[]): RangeParameters | undefined {
  const times = parameters.filter(isTime);
  const starts = times.filter(({ name }) => isStart.test(name));
  const ends = times.filter(({ name }) => isEnd.test(name));
  const [[start], [end]] = [starts, ends];
  if (starts.length !== 1 || ends.length !== 1 || start === undefined || end === undefined) return undefined;
  return { start, end };
}

/** The text of a time in UTC, as a parameter takes it. */
function timeValue({ type }: Pick<Parameter, 'type'>, milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  if (type === 'DATE') return text.slice(0, 10);
  return type === 'DATETIME' ? text.slice(0, -1) : text;
}

/** The values of both parameters for a span. */
export function rangeValues(
  { start, end }: RangeParameters,
  { from, to }: TimeRange,
): readonly (readonly [name: string, value: string])[] {
  return [
    [start.name, timeValue(start, from)],
    [end.name, timeValue(end, to)],
  ];
}
