import { lqlError } from '../syntax/lql-error.ts';
import type { Path } from '../syntax/syntax.ts';

/** Reads a text from left to right. */
export class Scanner {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The position: UTF-16 units from the start. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /**
   * Consumes what the pattern matches at the position, and returns the match. Undefined if it doesn't match.
   *
   * @param pattern a sticky regular expression
   */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  /** Whether the pattern, a sticky regular expression, matches at the position. */
  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.text);
  }

  /** Consumes everything up to the next white space or the end. */
  takeToken(): string {
    return this.take(/[^ \t\r\n]*/y)?.[0] ?? '';
  }

  /** Reports an error at the current or another position. */
  fail(message: string, at = this.#at): never {
    throw lqlError(this.text, at, message);
  }

  /** Reports an error unless the position is at white space or the end. */
  expectEnd(hint: string): void {
    if (!this.isAtEnd && !this.sees(/[ \t\r\n]/y)) this.fail(`expected white space or the end${hint}`);
  }
}

/** Parses `metadata.request.path`. A leading `m.` is short for `metadata.`. */
export function parsePath(scanner: Scanner): Path {
  const { at } = scanner;
  const [text] = scanner.take(/[A-Za-z0-9_.]+/y) ?? scanner.fail('expected the name of a field');
  const names = text.split('.');
  const places: number[] = [];
  let place = at;
  for (const name of names) {
    if (name === '') scanner.fail('expected a name on both sides of the dot', place);
    places.push(place);
    place += name.length + 1;
  }
  if (names.length > 1 && names[0] === 'm') names[0] = 'metadata';
  return { names, places, at };
}

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
