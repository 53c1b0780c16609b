import { type ColumnData, isPresent } from '../../../sql/columns/column-batch.ts';
import { misfit, ofClass } from '../../../sql/columns/rows-of-columns.ts';
import { structFieldNames } from '../../../sql/values/column-names.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { JsonStyle } from '../render/json-style.ts';
import { renderFloat } from '../render/value-renderer.ts';
import type { ByteWriter } from './byte-writer.ts';
import {
  textsOf,
  type WriteValue,
  writeBooleans,
  writeIntegers,
  writePlainTexts,
  writeTimestamps,
} from './scalar-writer.ts';

const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20];
const [openBracket, closeBracket] = [0x5b, 0x5d];
const nullText = Buffer.from('null');

/** Writes the value of a column at an index, which may be NULL, as `valueRenderer` renders it. */
export function jsonWriter(type: SqlType, style: JsonStyle, column: ColumnData): WriteValue {
  const write = presentWriter(type, style, column);
  if (column.validity === undefined) return write;
  return (out, index) => (isPresent(column, index) ? write(out, index) : out.all(nullText));
}

function presentWriter(type: SqlType, style: JsonStyle, column: ColumnData): WriteValue {
  switch (type.kind) {
    case 'BOOL':
      return writeBooleans(type, column);
    case 'INT64':
      return writeIntegers(type, column);
    case 'TIMESTAMP':
      return style.timestamps === 'iso'
        ? inQuotes(writeTimestamps(type, column))
        : writeIntegers(type, column);
    case 'FLOAT64': {
      const doubles = ofClass(Float64Array, column.data, type);
      return (out, index) => out.ascii(renderFloat(doubles[index] ?? 0, style));
    }
    case 'JSON':
      return style.json === 'inline' ? inlineWriter(type, column) : textWriter(type, column);
    case 'STRING':
    case 'INTERVAL':
    case 'GEOGRAPHY':
      return textWriter(type, column);
    case 'ARRAY':
      return arrayWriter(type, style, column);
    case 'STRUCT':
      return objectWriter(
        structFieldNames(type.fields),
        type.fields.map((field) => field.type),
        style,
        column.children ?? [],
      );
    default:
      return inQuotes(writePlainTexts(type, column));
  }
}

/** Writes records, or rows: an object with a key for each value, in order. */
export function objectWriter(
  names: readonly string[],
  types: readonly SqlType[],
  style: JsonStyle,
  columns: readonly ColumnData[],
): WriteValue {
  const fields = types.map((type, index) => {
    const column = columns[index];
    if (column === undefined) throw misfit(type);
    const lead = Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(names[index])}:`);
    return { lead, write: jsonWriter(type, style, column) };
  });
  const end = Buffer.from(fields.length === 0 ? '{}' : '}');
  return (out, index) => {
    for (const { lead, write } of fields) {
      out.all(lead);
      write(out, index);
    }
    out.all(end);
  };
}

function arrayWriter(
  type: Extract<SqlType, { kind: 'ARRAY' }>,
  style: JsonStyle,
  { offsets, children = [] }: ColumnData,
): WriteValue {
  const [child] = children;
  if (offsets === undefined || child === undefined) throw misfit(type);
  const write = jsonWriter(type.element, style, child);
  return (out, index) => {
    const [from = 0, to = 0] = [offsets[index], offsets[index + 1]];
    out.byte(openBracket);
    for (let at = from; at < to; at++) {
      if (at > from) out.byte(comma);
      write(out, at);
    }
    out.byte(closeBracket);
  };
}

function inQuotes(write: WriteValue): WriteValue {
  return (out, index) => {
    out.byte(quote);
    write(out, index);
    out.byte(quote);
  };
}

/** Of a long text, this many bytes are written at once: each may become six. */
const portion = 16_384;

function textWriter(type: SqlType, column: ColumnData): WriteValue {
  const { data, offsets } = textsOf(type, column);
  return (out, index) => {
    const [from = 0, to = 0] = [offsets[index], offsets[index + 1]];
    out.byte(quote);
    for (let at = from; at < to; at += portion) writeEscaped(out, data, at, Math.min(to, at + portion));
    out.byte(quote);
  };
}

/** The escapes of JSON with a letter, as `JSON.stringify` uses them. */
const letters = new Map([...'btnfr'].map((letter) => [JSON.parse(`"\\${letter}"`).charCodeAt(0), letter]));

/** The escapes of the bytes that JSON texts contain only escaped. */
const escapes: readonly Uint8Array[] = Array.from({ length: backslash + 1 }, (_, byte) => {
  if (byte === quote || byte === backslash) return Buffer.of(backslash, byte);
  const letter = letters.get(byte);
  return Buffer.from(letter === undefined ? `\\u${byte.toString(16).padStart(4, '0')}` : `\\${letter}`);
});

function writeEscaped(out: ByteWriter, data: Uint8Array, from: number, to: number): void {
  const bytes = out.reserve((to - from) * 6);
  let at = out.length;
  for (let index = from; index < to; index++) {
    const byte = data[index] ?? 0;
    if (byte >= space && byte !== quote && byte !== backslash) {
      bytes[at++] = byte;
      continue;
    }
    for (const each of escapes[byte] ?? []) bytes[at++] = each;
  }
  out.length = at;
}

/** A JSON text contains line breaks only between its tokens, where each may be a space. */
function inlineWriter(type: SqlType, column: ColumnData): WriteValue {
  const { data, offsets } = textsOf(type, column);
  return (out, index) => {
    const [from = 0, to = 0] = [offsets[index], offsets[index + 1]];
    const bytes = out.reserve(to - from);
    let at = out.length;
    let isBreak = false;
    for (let index = from; index < to; index++) {
      const byte = data[index] ?? 0;
      const wasBreak = isBreak;
      isBreak = byte === 0x0a || byte === 0x0d;
      if (!isBreak) bytes[at++] = byte;
      else if (!wasBreak) bytes[at++] = space;
    }
    out.length = at;
  };
}
