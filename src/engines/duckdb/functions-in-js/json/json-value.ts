import { Failure } from '../failure.ts';
import { canonicalNumber, type WideNumbers } from './number-text.ts';
import { plainJsonString } from './write.ts';

/** A number as its canonical text. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of the type JSON. Members of an object stand in the order of their names. */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | ReadonlyMap<string, Json>;

export function isArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

export function isObject(json: Json): json is ReadonlyMap<string, Json> {
  return json instanceof Map;
}

const maxDepth = 500;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a string must not hold them
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;

const token = new RegExp(
  `[ \\t\\n\\r]*(?:([{}[\\]:,])|(${string.source})|(${number.source})|(true|false|null))`,
  'y',
);

/**
 * The value of a JSON text, which has to be strictly one. Of members with the same name the first one counts.
 *
 * @throws Failure when it is none, or has a number that a FLOAT64 can't hold, as `numbers` says
 */
export function parseJson(text: string, numbers: WideNumbers): Json {
  return new Parser(text, numbers).whole();
}

/** The JSON text of a value, as GoogleSQL prints it. */
export function writeJson(json: Json): string {
  if (json === null || typeof json === 'boolean') return String(json);
  if (typeof json === 'string') return plainJsonString(json);
  if (json instanceof JsonNumber) return json.text;
  if (isArray(json)) return `[${json.map(writeJson).join(',')}]`;
  const members = [...json].map(([name, value]) => `${plainJsonString(name)}:${writeJson(value)}`);
  return `{${members.join(',')}}`;
}

/** The members in the order of their names, by code points. */
export function objectOf(members: Iterable<readonly [string, Json]>): ReadonlyMap<string, Json> {
  const first = new Map<string, Json>();
  for (const [name, value] of members) if (!first.has(name)) first.set(name, value);
  return new Map([...first].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
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
    const value = this.#value(this.#token());
    if (!/^[ \t\n\r]*$/.test(this.#text.slice(this.#at))) throw this.#failure();
    return value;
  }

  #value([mark, string, number, word]: Token): Json {
    if (string !== undefined) return this.#string(string);
    if (number !== undefined) return new JsonNumber(canonicalNumber(number, this.#numbers));
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    if (mark === '{') return this.#nested(() => objectOf(this.#members()));
    if (mark === '[') return this.#nested(() => [...this.#elements()]);
    throw this.#failure();
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > maxDepth)
      throw new Failure('Invalid input to PARSE_JSON: max nesting has been exceeded');
    const value = read();
    this.#depth--;
    return value;
  }

  *#members(): Generator<[string, Json]> {
    let next = this.#token();
    if (next[0] === '}') return;
    for (;;) {
      if (next[1] === undefined || this.#token()[0] !== ':') throw this.#failure();
      yield [this.#string(next[1]), this.#value(this.#token())];
      const [mark] = this.#token();
      if (mark === '}') return;
      if (mark !== ',') throw this.#failure();
      next = this.#token();
    }
  }

  *#elements(): Generator<Json> {
    let next = this.#token();
    if (next[0] === ']') return;
    for (;;) {
      yield this.#value(next);
      const [mark] = this.#token();
      if (mark === ']') return;
      if (mark !== ',') throw this.#failure();
      next = this.#token();
    }
  }

  /** Half of a surrogate pair is no text. */
  #string(json: string): string {
    const text = JSON.parse(json) as string;
    if (!text.isWellFormed()) throw this.#failure();
    return text;
  }

  #token(): Token {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text);
    if (match === null) throw this.#failure();
    this.#at = token.lastIndex;
    return [match[1], match[2], match[3], match[4]];
  }

  #failure(): Failure {
    return new Failure(`Invalid input to PARSE_JSON: syntax error while parsing value at ${this.#at}`);
  }
}

/** A mark, a string with its quotes, a number, or a word; one of them. */
type Token = readonly [string | undefined, string | undefined, string | undefined, string | undefined];
