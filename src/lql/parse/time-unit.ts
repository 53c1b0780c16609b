import { type TimeUnit, timeUnits } from '../syntax.ts';

const short = new Map<string, TimeUnit>([
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
  ['mm', 'month'],
  ['y', 'year'],
]);

/** The unit that the name stands for: its short name, or its long one with or without a plural s. */
export function timeUnitOf(name: string): TimeUnit | undefined {
  return short.get(name) ?? timeUnits.find((unit) => name === unit || name === `${unit}s`);
}
