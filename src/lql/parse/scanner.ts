import { lqlError } from '../lql-error.ts';

/** Reads a text from left to right. */
export class Scanner {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** UTF-16 units from the start. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /**
   * Takes what the pattern matches at this place, and gives the match; undefined when it doesn't match here.
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

  /** Whether the pattern, a sticky regular expression, matches at this place. */
  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.text);
  }

  /** Takes everything up to the next white space, or to the end. */
  takeToken(): string {
    return this.take(/[^ \t\r\n]*/y)?.[0] ?? '';
  }

  /** Refuses what stands here, or elsewhere. */
  fail(message: string, at = this.#at): never {
    throw lqlError(this.text, at, message);
  }

  /** Refuses what stands here, unless it is white space or the end. */
  expectEnd(hint: string): void {
    if (!this.isAtEnd && !this.sees(/[ \t\r\n]/y)) this.fail(`expected white space or the end${hint}`);
  }
}
