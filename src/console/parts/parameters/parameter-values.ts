import type { Parameter } from '../../api/endpoints.ts';
import { Failure } from '../../api/failure.ts';
import { oneLine } from '../text/cell-text.ts';
import type { TimeRange } from '../time/time-range.ts';

/** What the user has entered, by parameter. Parameters without a value are missing. */
export type ParameterValues = ReadonlyMap<string, string | readonly string[]>;

/** The values of an address for the endpoint's parameters. Everything else in it is ignored. */
export function addressValues(parameters: readonly Parameter[], address: URLSearchParams): ParameterValues {
  return new Map(
    parameters
      .filter(({ name }) => address.has(name))
      .map(({ name, type }) => [name, isArray(type) ? address.getAll(name) : (address.get(name) ?? '')]),
  );
}

/** The values of an address, or those of the examples if it has none. */
export function initialValues(parameters: readonly Parameter[], address: URLSearchParams): ParameterValues {
  const given = addressValues(parameters, address);
  if (given.size > 0) return given;
  return new Map(
    parameters.flatMap((parameter) => {
      const value = proposedValue(parameter);
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );
}

function proposedValue({ example, required, values, default: byDefault }: Parameter) {
  return example ?? (required ? (byDefault ?? values?.[0]) : undefined);
}

/** Pairs of a query string. */
export function pairsOf(values: ParameterValues): [name: string, value: string][] {
  return [...values].flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each]));
}

/**
 * The query string of an address. It omits values that contain the API key, which users may have pasted into a field:
 * browsers store addresses, and users share them.
 */
export function addressPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  key: string,
): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of pairs) if (!value.includes(key)) search.append(name, value);
  return search;
}

/** The values in one line, such as `project: shop, limit: 10`. */
export function summaryOf(values: ParameterValues): string {
  const pairs = pairsOf(values).map(([name, value]) => `${name}: ${oneLine(value.slice(0, 80))}`);
  return pairs.length === 0 ? 'none given' : pairs.join(', ');
}

export function isSameValues(one: ParameterValues, other: ParameterValues): boolean {
  return valuesText(one) === valuesText(other);
}

function valuesText(values: ParameterValues): string {
  return JSON.stringify([...values].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The values after one has changed. */
export function withValue(
  values: ParameterValues,
  name: string,
  value: string | readonly string[],
): ParameterValues {
  const changed = new Map(values);
  if (value.length === 0) changed.delete(name);
  else changed.set(name, value);
  return changed;
}

/** The required parameters that have no value. */
export function missingParameters(
  parameters: readonly Parameter[],
  values: ParameterValues,
): readonly string[] {
  return parameters.filter(({ required, name }) => required && !values.has(name)).map(({ name }) => name);
}

export function isArray(type: string): boolean {
  return type.startsWith('ARRAY<');
}

/** What is wrong with a parameter's value. */
export interface ParameterMistake {
  readonly parameter: string;
  readonly message: string;
}

/**
 * The mistakes of a call: what is missing, and what the gateway says of a parameter.
 *
 * @param failure of the call
 * @param fields what the form has fields for; a failure that is about something else is no mistake
 */
export function mistakesOf(
  failure: unknown,
  missing: readonly string[],
  fields: readonly string[],
): readonly ParameterMistake[] {
  const required = missing.map((parameter) => ({ parameter, message: 'This parameter is required.' }));
  if (!(failure instanceof Failure)) return required;
  const { parameter } = failure.facts;
  if (parameter === undefined || !fields.includes(parameter)) return required;
  return [...required, { parameter, message: failure.message }];
}

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
