import { type ColumnData, isPresent } from '../../../sql/columns/column-batch.ts';
import { ofClass } from '../../../sql/columns/rows-of-columns.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import { jsonStyle } from '../render/json-style.ts';
import { ByteWriter } from './byte-writer.ts';
import { jsonWriter } from './json-writer.ts';
import {
  textsOf,
  type WriteValue,
  writeBooleans,
  writeIntegers,
  writePlainTexts,
  writeTimestamps,
} from './scalar-writer.ts';

const [quote, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d];
const twoQuotes = Buffer.from('""');

/**
 * Writes the value of a column at an index as a field of CSV.
 *
 * @param whenNull what is written for NULL
 */
export function csvWriter(type: SqlType, column: ColumnData, whenNull: Uint8Array): WriteValue {
  const write = presentWriter(type, column);
  if (column.validity === undefined) return write;
  return (out, index) => (isPresent(column, index) ? write(out, index) : out.all(whenNull));
}

function presentWriter(type: SqlType, column: ColumnData): WriteValue {
  switch (type.kind) {
    case 'BOOL':
      return writeBooleans(type, column);
    case 'INT64':
      return writeIntegers(type, column);
    case 'TIMESTAMP':
      return writeTimestamps(type, column);
    case 'FLOAT64': {
      const doubles = ofClass(Float64Array, column.data, type);
      return (out, index) => {
        const value = doubles[index] ?? 0;
        out.ascii(Object.is(value, -0) ? '-0' : String(value));
      };
    }
    case 'STRING':
    case 'JSON':
    case 'INTERVAL':
    case 'GEOGRAPHY': {
      const { data, offsets } = textsOf(type, column);
      return (out, index) => writeField(out, data, offsets[index] ?? 0, offsets[index + 1] ?? 0);
    }
    case 'ARRAY':
    case 'STRUCT': {
      const write = jsonWriter(type, jsonStyle({ timestamps: 'iso' }), column);
      const json = new ByteWriter();
      return (out, index) => {
        json.length = 0;
        write(json, index);
        writeField(out, json.bytes, 0, json.length);
      };
    }
    case 'BYTES': {
      const { offsets } = textsOf(type, column);
      const write = writePlainTexts(type, column);
      return (out, index) => {
        if (offsets[index] === offsets[index + 1]) out.all(twoQuotes);
        else write(out, index);
      };
    }
    default:
      return writePlainTexts(type, column);
  }
}

/** Writes a text, in quotes if it contains characters that a field can contain only so. Some readers trim spaces. */
export function writeField(out: ByteWriter, data: Uint8Array, from: number, to: number): void {
  if (from === to || beginsWithSpace(data, from, to) || endsWithSpace(data, from, to)) {
    writeQuoted(out, data, from, to);
    return;
  }
  const bytes = out.reserve(to - from);
  let at = out.length;
  for (let index = from; index < to; index++) {
    const byte = data[index] ?? 0;
    if (byte <= comma && (byte === quote || byte === comma || byte === lineFeed || byte === carriageReturn)) {
      writeQuoted(out, data, from, to);
      return;
    }
    bytes[at++] = byte;
  }
  out.length = at;
}

function writeQuoted(out: ByteWriter, data: Uint8Array, from: number, to: number): void {
  const bytes = out.reserve((to - from) * 2 + 2);
  let at = out.length;
  bytes[at++] = quote;
  for (let index = from; index < to; index++) {
    const byte = data[index] ?? 0;
    bytes[at++] = byte;
    if (byte === quote) bytes[at++] = quote;
  }
  bytes[at++] = quote;
  out.length = at;
}

/** The longest space in UTF-8 has three bytes. */
const maxSpaceBytes = 3;
const space = /^\s/;

function beginsWithSpace(data: Uint8Array, from: number, to: number): boolean {
  const byte = data[from] ?? 0;
  if (byte < 0x80) return isAsciiSpace(byte);
  return space.test(textOf(data, from, Math.min(to, from + maxSpaceBytes)));
}

function endsWithSpace(data: Uint8Array, from: number, to: number): boolean {
  let start = to - 1;
  if ((data[start] ?? 0) < 0x80) return isAsciiSpace(data[start] ?? 0);
  while (start > from && ((data[start] ?? 0) & 0xc0) === 0x80) start--;
  return space.test(textOf(data, start, to));
}

function isAsciiSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function textOf({ buffer, byteOffset }: Uint8Array, from: number, to: number): string {
  return Buffer.from(buffer, byteOffset + from, to - from).toString();
}
