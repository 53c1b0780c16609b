import { elementIndex, type JsonSteps } from './path.ts';
import { jsonString } from './write.ts';

/** Thrown at the first position that is not valid JSON. */
const malformed = Symbol('malformed');

const maxDepth = 1000;

const backslash = 0x5c;

/** The value at a path: its JSON text, and its content if it is a string. */
interface Found {
  readonly kind: 'null' | 'bool' | 'number' | 'string' | 'array' | 'object';
  /** As JSON without white space. Numbers keep their text. */
  readonly json: string;
  /** The content of a string, or the text of another scalar. */
  readonly text: string;
  /** The elements of an array. */
  readonly elements: readonly Found[];
}

/**
 * Extracts the value at a path from a text, or undefined. The syntax is as lenient as in the JSON functions on STRING:
 * strings may have single quotes and unknown escapes, a list may end with a comma, a missing element before a comma is
 * null, and text after the value is ignored.
 */
export function extract(json: string, steps: JsonSteps): Found | undefined {
  try {
    return new TextExtractor(json, steps).find(0);
  } catch (error) {
    if (error === malformed) return undefined;
    throw error;
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

class TextExtractor {
  readonly #json: string;
  readonly #steps: JsonSteps;
  #at = 0;
  #depth = 0;

  constructor(json: string, steps: JsonSteps) {
    this.#json = json;
    this.#steps = steps;
  }

  /** Reads a value after `step` steps of the path, and returns what the remaining steps lead to in it. */
  find(step: number): Found | undefined {
    if (step === this.#steps.length) return this.#value();
    const name = this.#steps[step] as string;
    const index = elementIndex(name);
    switch (this.#next()) {
      case '{':
        return this.#members((key) => (key === name ? this.find(step + 1) : this.#skip()));
      case '[':
        return this.#elements((position) => (position === index ? this.find(step + 1) : this.#skip()));
      default:
        return this.#skip();
    }
  }

  #skip(): undefined {
    this.#value();
    return undefined;
  }

  #value(): Found {
    const start = this.#next();
    switch (start) {
      case '{': {
        const members: string[] = [];
        this.#members((key) => {
          members.push(`${jsonString(key)}:${this.#value().json}`);
          return undefined;
        });
        return composite('object', `{${members.join(',')}}`, []);
      }
      case '[': {
        const elements: Found[] = [];
        this.#elements(() => {
          elements.push(this.#value());
          return undefined;
        });
        return composite('array', `[${elements.map(({ json }) => json).join(',')}]`, elements);
      }
      case '"':
      case "'": {
        const text = this.#string(start);
        return { kind: 'string', json: jsonString(text), text, elements: [] };
      }
      case ',':
      case ']':
        // A missing value: the caller reads the current character.
        return scalar('null', 'null');
      default:
        return this.#word();
    }
  }

  #word(): Found {
    for (const word of ['true', 'false', 'null']) {
      if (!this.#json.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return scalar(word === 'null' ? 'null' : 'bool', word);
    }
    number.lastIndex = this.#at;
    const digits = number.exec(this.#json)?.[0];
    if (digits === undefined) throw malformed;
    this.#at += digits.length;
    // A point or an exponent must be followed by digits. A second point ends the number: 10.0.0.1 begins with 10.0.
    const next = this.#json.charAt(this.#at);
    if (/[eE]/.test(next) && !/[eE]/.test(digits)) throw malformed;
    if (next === '.' && !/[.eE]/.test(digits)) throw malformed;
    return scalar('number', digits);
  }

  /** Reads an object up to the member for which `read` returns something. */
  #members(read: (key: string) => Found | undefined): Found | undefined {
    this.#descend();
    if (this.#next() === '}') return this.#close();
    for (;;) {
      const quote = this.#next();
      if (quote !== '"' && quote !== "'") throw malformed;
      const key = this.#string(quote);
      if (this.#next() !== ':') throw malformed;
      this.#at++;
      const found = read(key);
      if (found !== undefined) return found;
      if (this.#isOver('}')) return this.#close();
    }
  }

  /** Reads an array up to the element for which `read` returns something. */
  #elements(read: (position: number) => Found | undefined): Found | undefined {
    this.#descend();
    if (this.#next() === ']') return this.#close();
    for (let position = 0; ; position++) {
      const found = read(position);
      if (found !== undefined) return found;
      if (this.#isOver(']')) return this.#close();
    }
  }

  #descend(): void {
    if (++this.#depth > maxDepth) throw malformed;
    this.#at++;
  }

  #close(): undefined {
    this.#at++;
    this.#depth--;
    return undefined;
  }

  /** Whether the list ends here. A comma may precede its end. */
  #isOver(end: string): boolean {
    const next = this.#next();
    if (next === end) return true;
    if (next !== ',') throw malformed;
    this.#at++;
    return this.#next() === end;
  }

  /** The next character that isn't white space. Empty at the end. */
  #next(): string {
    for (;;) {
      const code = this.#json.charCodeAt(this.#at);
      if (code !== 0x20 && !(code >= 0x09 && code <= 0x0d)) return this.#json.charAt(this.#at);
      this.#at++;
    }
  }

  #string(quote: string): string {
    const end = quote.charCodeAt(0);
    let text = '';
    let start = ++this.#at;
    for (; this.#at < this.#json.length; this.#at++) {
      const code = this.#json.charCodeAt(this.#at);
      if (code === end) {
        text += this.#json.slice(start, this.#at++);
        return text;
      }
      if (code !== backslash) continue;
      text += this.#json.slice(start, this.#at) + this.#escape();
      start = this.#at + 1;
    }
    throw malformed;
  }

  /** The character of an escape. Stops at the escape's last character. */
  #escape(): string {
    const form = /u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-7]{1,3})|[^ux]/suy;
    form.lastIndex = this.#at + 1;
    const match = form.exec(this.#json);
    if (match === null) throw malformed;
    this.#at = form.lastIndex - 1;
    const [whole, unicode, latin, octal] = match;
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    const hex = unicode ?? latin;
    if (hex === undefined) return simpleEscapes[whole] ?? whole;
    const code = Number.parseInt(hex, 16);
    return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : String.fromCodePoint(code);
  }
}

function scalar(kind: Found['kind'], text: string): Found {
  return { kind, json: text, text, elements: [] };
}

function composite(kind: Found['kind'], json: string, elements: readonly Found[]): Found {
  return { kind, json, text: json, elements };
}
