import type { Value } from '../../../sql/values/value.ts';

/** The maximum length of a text to cache or repeat, in characters. */
const maxLength = 2_000;

/** Whether a value should be computed where it is needed: `REPEAT('a', 1000000)` is shorter than its value. */
export function isLong(value: Value): boolean {
  return typeof value === 'string' && value.length > maxLength;
}
