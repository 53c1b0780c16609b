import type { Value } from '../../../sql/value.ts';

/** Characters up to which a text is worth keeping and repeating. */
const maxLength = 2_000;

/** Whether a value is better computed where it is needed: `REPEAT('a', 1000000)` is a short expression for a long one. */
export function isLong(value: Value): boolean {
  return typeof value === 'string' && value.length > maxLength;
}
