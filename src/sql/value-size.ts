import type { Value } from './value.ts';

/**
 * How large a value is: the characters of its texts, and so many for everything else. In an answer it takes no fewer bytes.
 *
 * @param each for a value that is no text, and for an array or a record beside what is in it
 */
export function sizeOf(value: Value, each = 1): number {
  if (typeof value === 'string') return value.length + each;
  if (!Array.isArray(value)) return each;
  let size = each;
  for (const part of value) size += sizeOf(part, each);
  return size;
}
