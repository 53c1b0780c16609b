import type { Scanner } from './scanner.ts';

/** A backslash belongs to what follows it: there is one way to read each text, however long. */
const quoted = /"((?:\\[\\"]|\\(?![\\"])|[^"\\])*)"/y;

/** Reads a text in double quotes. `\"` is a quote and `\\` a backslash; any other backslash stays what it is. */
export function parseQuoted(scanner: Scanner): string {
  const { at } = scanner;
  const [, inside] = scanner.take(quoted) ?? scanner.fail('the quote is never closed', at);
  return (inside ?? '').replace(/\\([\\"])/g, '$1');
}
