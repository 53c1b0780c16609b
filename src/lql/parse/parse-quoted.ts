import type { Scanner } from './scanner.ts';

/** Reads a text in double quotes. `\"` is a quote and `\\` a backslash; any other backslash stays what it is. */
export function parseQuoted(scanner: Scanner): string {
  const { at } = scanner;
  const [, inside] = scanner.take(/"((?:\\[\\"]|[^"])*?)"/y) ?? scanner.fail('the quote is never closed', at);
  return (inside ?? '').replace(/\\([\\"])/g, '$1');
}
