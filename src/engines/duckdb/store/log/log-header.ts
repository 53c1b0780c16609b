/** What a write-ahead log says of itself at its beginning. It has no checksum. */
interface LogHeader {
  /** Its length in bytes. */
  readonly bytes: number;
  readonly version: number;
  /** The identifier of the database file that it belongs to, in hexadecimal. Absent for files of old formats. */
  readonly identifier: string | undefined;
  /** The number of checkpoints that this file had when the log began. */
  readonly checkpoints: number | undefined;
}

/** What a log must match: the state of the file that it belongs to. */
export interface LogOwner {
  /** The identifier of the database file, in hexadecimal. */
  readonly identifier: string;
  /** The number of its checkpoints. */
  readonly checkpoints: number;
}

/** The longest header: each byte of the identifier can take two. */
export const maxHeaderBytes = 64;

/** The version whose entries have checksums. Version 3 is encrypted, which no store is. */
export const readVersion = 2;

const identifierBytes = 16;

/** The header at the beginning of these bytes; undefined if there is none, or only a part of one. */
export function readHeader(bytes: Buffer): LogHeader | undefined {
  const read = new FieldReader(bytes);
  try {
    if (read.field() !== 100 || read.number() !== 98 || read.field() !== 101) return undefined;
    const version = read.number();
    let identifier: string | undefined;
    let checkpoints: number | undefined;
    let field = read.field();
    if (field === 102) {
      if (read.number() !== identifierBytes) return undefined;
      const numbers = Array.from({ length: identifierBytes }, () => read.number());
      if (numbers.some((number) => number > 0xff)) return undefined;
      identifier = Buffer.from(numbers).toString('hex');
      field = read.field();
    }
    if (field === 103) {
      checkpoints = read.number();
      field = read.field();
    }
    return field === endOfObject ? { bytes: read.position, version, identifier, checkpoints } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The header of a log of this version. */
export function headerBytes({ identifier, checkpoints }: LogOwner): Buffer {
  const numbers = [...Buffer.from(identifier, 'hex')].flatMap((byte) => leb128(byte));
  const fields = [100, 0, 98, 101, 0, readVersion, 102, 0, identifierBytes, ...numbers];
  return Buffer.from([...fields, 103, 0, ...leb128(checkpoints), 0xff, 0xff]);
}

function leb128(number: number): number[] {
  return number < 0x80 ? [number] : [0x80 | (number % 0x80), ...leb128(Math.floor(number / 0x80))];
}

const endOfObject = 0xffff;

/** Reads fields of DuckDB's binary format. Throws `RangeError` at the end of the bytes. */
class FieldReader {
  position = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The id of a field. */
  field(): number {
    this.position += 2;
    return this.#bytes.readUInt16LE(this.position - 2);
  }

  /** A number in LEB128. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes.readUInt8(this.position);
      this.position += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}
