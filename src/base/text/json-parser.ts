/** What a parser makes of the parts of a JSON text. */
export interface JsonForms<V> {
  /** @param text as written */
  number(text: string): V;
  object(members: readonly (readonly [name: string, value: V])[]): V;
  /** Whether a string that was written with escapes is valid: it can have half a surrogate pair. */
  accepts(text: string): boolean;
}

/** A text is not JSON, or its values are nested too deeply. */
export class JsonFault extends Error {
  readonly kind: 'syntax' | 'depth';
  /** The position in the text. */
  readonly at: number;

  constructor(kind: 'syntax' | 'depth', at: number) {
    // Without a stack trace: nobody reads it, and capturing it takes ten times as long as everything else.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${kind} of JSON at ${at}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    this.at = at;
  }
}

type Parsed<V> = V | null | boolean | string | Parsed<V>[];

/**
 * Parses strict JSON text.
 *
 * @param maxDepth levels of arrays and objects
 * @throws JsonFault; and as the forms do
 */
export function parseJsonText<V>(text: string, forms: JsonForms<Parsed<V>>, maxDepth: number): Parsed<V> {
  return new Parser(text, forms, maxDepth).whole();
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

class Parser<V> {
  readonly #text: string;
  readonly #forms: JsonForms<Parsed<V>>;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, forms: JsonForms<Parsed<V>>, maxDepth: number) {
    this.#text = text;
    this.#forms = forms;
    this.#maxDepth = maxDepth;
  }

  whole(): Parsed<V> {
    const value = this.#value();
    if (!Number.isNaN(this.#next())) throw this.#failure();
    return value;
  }

  #value(): Parsed<V> {
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
    if (++this.#depth > this.#maxDepth) throw new JsonFault('depth', this.#at);
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): Parsed<V> {
    const members: [string, Parsed<V>][] = [];
    for (let next = this.#next(); next !== closeBrace || members.length > 0; next = this.#next()) {
      if (next !== quote) throw this.#failure();
      const name = this.#string();
      if (this.#next() !== colon) throw this.#failure();
      this.#at++;
      members.push([name, this.#value()]);
      if (this.#isLast(closeBrace)) return this.#forms.object(members);
    }
    this.#at++;
    return this.#forms.object(members);
  }

  #array(): Parsed<V> {
    const elements: Parsed<V>[] = [];
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

  #number(): Parsed<V> {
    number.lastIndex = this.#at;
    const digits = number.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#failure();
    this.#at += digits.length;
    return this.#forms.number(digits);
  }

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
      if (this.#forms.accepts(text)) return text;
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

  #failure(): JsonFault {
    return new JsonFault('syntax', this.#at);
  }
}
