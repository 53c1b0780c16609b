import type { Parameter } from '../../api/endpoints.ts';
import { parseRange, rangeAt, type Zone } from '../time/time-range.ts';
import { chosenZone } from '../time/use-zone.ts';
import { type ParameterValues, rangeParameters, rangeValues } from './parameter-values.ts';

/** The moment, and where days begin. */
export interface Moment {
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly zone: Zone;
}

/**
 * The values of a call at a moment. The parameters for the start and the end of a span may have the text of a range, such as `24h` or
 * `yesterday`: each gets its time of it. Forms, links and the history keep the text, so that it moves with the clock.
 */
export function valuesAt(
  parameters: readonly Parameter[],
  values: ParameterValues,
  { now, zone }: Moment,
): ParameterValues {
  const range = rangeParameters(parameters);
  if (range === undefined) return values;
  const times = [range.start, range.end].flatMap(({ name }) => {
    const text = values.get(name);
    const choice = typeof text === 'string' ? parseRange(text) : undefined;
    if (choice === undefined) return [];
    return rangeValues(range, rangeAt(choice, now, zone)).filter(([of]) => of === name);
  });
  return new Map([...values, ...times]);
}

/** The values of a call that is made now. */
export function valuesNow(parameters: readonly Parameter[], values: ParameterValues): ParameterValues {
  return valuesAt(parameters, values, { now: Date.now(), zone: chosenZone() });
}
