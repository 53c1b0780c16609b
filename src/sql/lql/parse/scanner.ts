import { lqlError } from '../syntax/lql-error.ts';

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
