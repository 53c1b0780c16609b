import {
  closeArray,
  closeObject,
  colon,
  comma,
  endOfText,
  JsonTokens,
  openArray,
  openObject,
  quote,
} from './json-tokens.ts';

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

const backslash = 0x5c;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Reads strict JSON token by token. Each is checked when it is read. */
export class JsonReader extends JsonTokens {
  readonly #maxDepth: number;
  /** The kinds of the tokens that end the open arrays and objects. */
  readonly #ends: number[] = [];
  /** The last of them. 0 if none is open. */
  #end = 0;
  /** Whether a comma or an end comes next. */
  #isAfterValue = false;
  /** Whether the current token is the key of a member. */
  isKey = false;
  /** Whether the current token is a string that was written with escapes. */
  isEscaped = false;
  #unescaped = '';

  /** @param maxDepth levels of arrays and objects */
  constructor(text: string, maxDepth = Number.POSITIVE_INFINITY) {
    super(text);
    this.#maxDepth = maxDepth;
  }

  /** The current token as written. */
  get source(): string {
    return this.text.slice(this.start, this.end);
  }

  /** The value of the current token, which is a string. */
  get string(): string {
    return this.isEscaped ? this.#unescaped : this.text.slice(this.start + 1, this.end - 1);
  }

  /**
   * Reads the next token and returns its kind: the beginning or end of an array or an object, a string or a word. Commas and colons
   * are passed over.
   *
   * @throws JsonFault
   */
  next(): number {
    let token = this.token();
    if (this.isKey) {
      this.isKey = false;
      if (token !== colon) throw this.#fault();
      token = this.token();
    } else if (this.#end !== 0) {
      if (token === this.#end) return this.#close(token);
      if (this.#isAfterValue) {
        if (token !== comma) throw this.#fault();
        token = this.token();
      }
      if (this.#end === closeObject) {
        if (token !== quote) throw this.#fault();
        this.isKey = true;
      }
    } else if (this.#isAfterValue) {
      if (token !== endOfText) throw this.#fault();
      return token;
    }
    this.#isAfterValue = true;
    if (token === quote) this.#readString();
    else if (token === openObject) this.#open(closeObject);
    else if (token === openArray) this.#open(closeArray);
    else if (token === 0x74) this.#readWord('true');
    else if (token === 0x66) this.#readWord('false');
    else if (token === 0x6e) this.#readWord('null');
    else this.#readNumber();
    return token;
  }

  #open(end: number): void {
    if (++this.depth > this.#maxDepth) throw this.#fault('depth');
    this.#ends.push(end);
    this.#end = end;
    this.#isAfterValue = false;
  }

  #close(token: number): number {
    this.depth--;
    this.#ends.pop();
    this.#end = this.#ends[this.depth - 1] ?? 0;
    this.#isAfterValue = true;
    return token;
  }

  #readWord(word: string): void {
    if (!this.text.startsWith(word, this.start)) throw this.#fault();
    this.end = this.start + word.length;
  }

  #readNumber(): void {
    number.lastIndex = this.start;
    if (!number.test(this.text)) throw this.#fault();
    this.end = number.lastIndex;
  }

  #readString(): void {
    const { text, start } = this;
    let isEscaped = false;
    for (let at = start + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.end = at + 1;
        break;
      }
      if (code === backslash) {
        isEscaped = true;
        at++;
      } else if (!(code >= 0x20)) {
        throw this.#fault();
      }
    }
    this.isEscaped = isEscaped;
    if (isEscaped) this.#unescape();
  }

  #unescape(): void {
    try {
      this.#unescaped = String(JSON.parse(this.source));
    } catch {
      throw new JsonFault('syntax', this.end);
    }
  }

  #fault(kind: JsonFault['kind'] = 'syntax'): JsonFault {
    return new JsonFault(kind, this.start);
  }
}

/** What a parser makes of the parts of a JSON text. */
export interface JsonForms<V> {
  /** @param text as written */
  number(text: string): V;
  object(members: readonly (readonly [name: string, value: V])[]): V;
  /** Whether a string that was written with escapes is valid: it can have half a surrogate pair. */
  accepts(text: string): boolean;
}

type Parsed<V> = V | null | boolean | string | Parsed<V>[];

/**
 * Parses strict JSON text.
 *
 * @param maxDepth levels of arrays and objects
 * @throws JsonFault; and as the forms do
 */
export function parseJsonText<V>(text: string, forms: JsonForms<Parsed<V>>, maxDepth: number): Parsed<V> {
  const reader = new JsonReader(text, maxDepth);
  const value = valueAt(reader, reader.next(), forms);
  reader.next();
  return value;
}

/** The value that begins with the current token, of a kind. */
function valueAt<V>(reader: JsonReader, token: number, forms: JsonForms<Parsed<V>>): Parsed<V> {
  switch (token) {
    case quote:
      return stringAt(reader, forms);
    case openObject: {
      const members: [string, Parsed<V>][] = [];
      while (reader.next() !== closeObject)
        members.push([stringAt(reader, forms), valueAt(reader, reader.next(), forms)]);
      return forms.object(members);
    }
    case openArray: {
      const elements: Parsed<V>[] = [];
      for (let each = reader.next(); each !== closeArray; each = reader.next())
        elements.push(valueAt(reader, each, forms));
      return elements;
    }
    case 0x6e:
      return null;
    case 0x74:
      return true;
    case 0x66:
      return false;
    default:
      return forms.number(reader.source);
  }
}

function stringAt<V>(reader: JsonReader, forms: JsonForms<V>): string {
  const { string } = reader;
  if (reader.isEscaped && !forms.accepts(string)) throw new JsonFault('syntax', reader.end);
  return string;
}
