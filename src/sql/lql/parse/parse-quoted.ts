import type { Scanner } from './scanner.ts';

/**
 * A backslash always belongs to the next character, so that each text matches in only one way and long ones don't
 * backtrack.
 */
const quoted = /"((?:\\[\\"]|\\(?![\\"])|[^"\\])*)"/y;

/** Parses a text in double quotes. `\"` is a quote and `\\` a backslash; any other backslash is literal. */
export function parseQuoted(scanner: Scanner): string {
  const { at } = scanner;
  const [, inside] = scanner.take(quoted) ?? scanner.fail('the quote is never closed', at);
  return (inside ?? '').replace(/\\([\\"])/g, '$1');
}
