import { colon, JsonTokens } from '../../base/text/json-tokens.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import type { Range } from './finders/range.ts';

/** A string value, by the range between its quotes. */
interface JsonString extends Range {
  /** The decoded string. */
  readonly value: string;
}

const escaped = /\\(?:u[0-9a-f]{4}|.)/gis;

/** Maximum length of a text that is parsed as JSON: the parsed form of a long text takes a hundred times its memory. */
const longestJson = 1_000_000;

/** Whether a text is JSON that can contain strings. */
export function isJson(text: string): boolean {
  if (text.length > longestJson) return false;
  const trimmed = text.trim();
  if (!'{["'.includes(trimmed.charAt(0)) || !'}]"'.includes(trimmed.charAt(trimmed.length - 1))) return false;
  return parsedJson(trimmed) !== undefined;
}

/** Yields the string values of a JSON text. Keys and numbers are skipped. */
export function* jsonStrings(text: string): Generator<JsonString> {
  const tokens = new JsonTokens(text);
  while (tokens.nextString()) {
    const [start, end] = [tokens.start + 1, tokens.end - 1];
    if (tokens.token() === colon) continue;
    const raw = text.slice(start, end);
    yield { start, end, value: raw.includes('\\') ? raw.replace(escaped, read) : raw };
    tokens.end = end + 1;
  }
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Decodes an escape sequence, which is always one UTF-16 unit. */
function read(sequence: string): string {
  if (sequence.length > 2) return String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
  const character = sequence.charAt(1);
  return controls[character] ?? character;
}

/**
 * Maps ranges of a string's value to ranges of the JSON text.
 *
 * @param ranges in the value, from left to right
 */
export function rangesInJson(text: string, { start, end }: Range, ranges: readonly Range[]): Range[] {
  const escapes = text.slice(start, end).matchAll(escaped);
  let next = escapes.next();
  /** By how much the text up to here is longer than the value. */
  let excess = 0;
  const position = (index: number) => {
    for (; !next.done && next.value.index - excess < index; next = escapes.next())
      excess += next.value[0].length - 1;
    return start + index + excess;
  };
  return ranges.map((range) => ({ start: position(range.start), end: position(range.end) }));
}
