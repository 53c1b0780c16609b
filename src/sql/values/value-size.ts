import type { Value } from './value.ts';

/**
 * The approximate size of a value, at most the bytes it takes in a response: the characters of its texts, and a
 * constant for everything else.
 *
 * @param each the constant for each value, array and record, added to their contents
 */
export function sizeOf(value: Value, each = 1): number {
  if (typeof value === 'string') return value.length + each;
  if (!Array.isArray(value)) return each;
  let size = each;
  for (const part of value) size += sizeOf(part, each);
  return size;
}
