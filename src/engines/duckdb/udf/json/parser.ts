import { Failure } from '../failure.ts';
import { type Json, JsonNumber, objectOf } from './json-value.ts';
import { canonicalNumber, type WideNumbers } from './number-text.ts';

const maxDepth = 500;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Parses strict JSON text. The first of several members with one name is kept.
 *
 * @throws Failure when it is invalid, or has a number that FLOAT64 can't hold, depending on `numbers`
 */
export function parseJson(text: string, numbers: WideNumbers): Json {
  return new Parser(text, numbers).whole();
}

class Parser {
  readonly #text: string;
  readonly #numbers: WideNumbers;
  #at = 0;
  #depth = 0;

  constructor(text: string, numbers: WideNumbers) {
    this.#text = text;
    this.#numbers = numbers;
  }

  whole(): Json {
    const value = this.#value();
    if (!Number.isNaN(this.#next())) throw this.#failure();
    return value;
  }

  #value(): Json {
    const start = this.#next();
    switch (start) {
      case quote:
        return this.#string();
      case openBrace:
        return this.#nested(() => this.#object());
      case openBracket:
        return this.#nested(() => this.#array());
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > maxDepth)
      throw new Failure('Invalid input to PARSE_JSON: max nesting has been exceeded');
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): Json {
    const members: [string, Json][] = [];
    for (let next = this.#next(); next !== closeBrace || members.length > 0; next = this.#next()) {
      if (next !== quote) throw this.#failure();
      const name = this.#string();
      if (this.#next() !== colon) throw this.#failure();
      this.#at++;
      members.push([name, this.#value()]);
      if (this.#isLast(closeBrace)) return objectOf(members);
    }
    this.#at++;
    return objectOf(members);
  }

  #array(): Json {
    const elements: Json[] = [];
    if (this.#next() === closeBracket) {
      this.#at++;
      return elements;
    }
    for (;;) {
      elements.push(this.#value());
      if (this.#isLast(closeBracket)) return elements;
    }
  }

  /** Reads the character after an element: the closing bracket, or a comma. */
  #isLast(end: number): boolean {
    const mark = this.#next();
    if (mark !== end && mark !== comma) throw this.#failure();
    this.#at++;
    return mark === end;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#failure();
    this.#at += word.length;
    return value;
  }

  #number(): JsonNumber {
    number.lastIndex = this.#at;
    const digits = number.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#failure();
    this.#at += digits.length;
    return new JsonNumber(canonicalNumber(digits, this.#numbers));
  }

  /** Half a surrogate pair is not valid text. */
  #string(): string {
    const start = this.#at + 1;
    let isPlain = true;
    for (let at = start; ; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return isPlain ? this.#text.slice(start, at) : this.#unescaped(this.#text.slice(start - 1, at + 1));
      }
      if (code === backslash) {
        isPlain = false;
        at++;
      } else if (!(code >= 0x20)) {
        throw this.#failure();
      }
    }
  }

  #unescaped(json: string): string {
    try {
      const text = JSON.parse(json) as string;
      if (text.isWellFormed()) return text;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw this.#failure();
  }

  /** The next character that isn't white space. NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }

  #failure(): Failure {
    return new Failure(`Invalid input to PARSE_JSON: syntax error while parsing value at ${this.#at}`);
  }
}
