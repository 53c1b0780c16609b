import { GatewayError } from '../../../base/errors/errors.ts';
import { byteOrderMark } from './byte-order-mark.ts';

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where a reader is in an array. */
type State = 'before' | 'first' | 'element' | 'string' | 'escape' | 'next' | 'end' | 'object';

/**
 * The elements of a JSON array as NDJSON, a line for each. Line ends within an element become spaces. Elements are not
 * parsed here; one without its end takes the rest of the bytes.
 *
 * @throws GatewayError BAD_USER_INPUT, while reading, for bytes that are not one array
 */
export async function* arrayElements(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new ArrayReader();
  for await (const piece of bytes) {
    const lines = reader.read(piece);
    if (lines.length > 0) yield lines;
  }
  reader.end();
}

/**
 * Objects one after the other, each perhaps over several lines, as NDJSON: see `arrayElements`. What is between them is a line of
 * its own, which is no row then.
 */
export async function* objectLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new ArrayReader('objects');
  for await (const piece of bytes) {
    const lines = reader.read(piece);
    if (lines.length > 0) yield lines;
  }
}

class ArrayReader {
  #state: State;
  readonly #isArray: boolean;
  /** Open objects and arrays of the current element. */
  #depth = 0;
  #position = 0;
  /** Whether the current byte ended an element. */
  #isLineEnd = false;

  /** @param of whether it reads an array, or objects without one */
  constructor(of: 'array' | 'objects' = 'array') {
    this.#isArray = of === 'array';
    this.#state = this.#isArray ? 'before' : 'object';
  }

  /** The parts of lines in the next bytes. */
  read(piece: Uint8Array): Uint8Array {
    const out = Buffer.allocUnsafe(2 * piece.length);
    let length = 0;
    for (const byte of piece) {
      this.#position += 1;
      const written = this.#next(byte);
      if (written !== undefined) out[length++] = written;
      if (this.#isLineEnd) {
        out[length++] = lineFeed;
        this.#isLineEnd = false;
      }
    }
    return out.subarray(0, length);
  }

  end(): void {
    if (this.#state !== 'end') throw refusal('it ends before its array does');
  }

  /** Takes a byte. Returns what it is in a line of an element, if anything. */
  #next(byte: number): number | undefined {
    switch (this.#state) {
      case 'string':
        if (byte === quote) this.#state = 'element';
        else if (byte === backslash) this.#state = 'escape';
        return byte;
      case 'escape':
        this.#state = 'string';
        return byte;
      case 'element':
        return this.#inElement(byte);
      default:
        if (isSpace(byte)) return undefined;
        return this.#between(byte);
    }
  }

  #inElement(byte: number): number | undefined {
    if (this.#isArray && this.#depth === 0 && (byte === comma || byte === closeBracket)) {
      this.#isLineEnd = true;
      this.#state = byte === comma ? 'next' : 'end';
      return undefined;
    }
    if (byte === quote) this.#state = 'string';
    else if (byte === openBrace || byte === openBracket) this.#depth += 1;
    else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
    if (!this.#isArray && this.#depth <= 0) this.#endLine(byte);
    return byte === lineFeed || byte === carriageReturn ? space : byte;
  }

  /** Ends an object, or a line that belongs to none. */
  #endLine(byte: number): void {
    if (byte !== closeBrace && byte !== closeBracket && byte !== lineFeed) return;
    this.#isLineEnd = true;
    this.#depth = 0;
    this.#state = 'object';
  }

  #between(byte: number): number | undefined {
    if (this.#state === 'object') {
      if (byteOrderMark.includes(byte)) return undefined;
      this.#state = 'element';
      return this.#inElement(byte);
    }
    if (this.#state === 'before') {
      if (byteOrderMark.includes(byte)) return undefined;
      if (byte !== openBracket) throw refusal('it does not begin with [');
      this.#state = 'first';
      return undefined;
    }
    if (this.#state === 'first' && byte === closeBracket) {
      this.#state = 'end';
      return undefined;
    }
    if (this.#state === 'end') throw refusal(`there is more after its end, at byte ${this.#position}`);
    if (byte === comma || byte === closeBracket) {
      throw refusal(`an element is missing at byte ${this.#position}`);
    }
    this.#state = 'element';
    return this.#inElement(byte);
  }
}

function isSpace(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
}

function refusal(what: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `The file is not a JSON array: ${what}.`);
}
