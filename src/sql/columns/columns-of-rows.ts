import type { Column, SqlType } from '../values/type.ts';
import type { Row, Value } from '../values/value.ts';
import { isList } from '../values/value.ts';
import { type ColumnBatch, type ColumnData, decimals, type FixedData } from './column-batch.ts';

/** Rows as columns. */
export function columnsOfRows(columns: readonly Column[], rows: readonly Row[]): ColumnBatch {
  return {
    length: rows.length,
    columns: columns.map(({ type }, index) =>
      columnOfValues(
        type,
        rows.map((row) => row[index] ?? null),
      ),
    ),
  };
}

/** The values of a column, in the forms of `Value`. */
export function columnOfValues(type: SqlType, values: readonly Value[]): ColumnData {
  const nulls = type.kind === 'ARRAY' ? noNulls : nullsOf(values);
  return { length: values.length, ...nulls, ...layoutOf(type, values) };
}

/** Which values are present. */
type Nulls = Pick<ColumnData, 'nullCount' | 'validity'>;

const noNulls: Nulls = { nullCount: 0 };

function nullsOf(values: readonly Value[]): Nulls {
  let validity: Uint8Array | undefined;
  let nullCount = 0;
  for (let index = 0; index < values.length; index++) {
    if (values[index] !== null) continue;
    validity ??= new Uint8Array((values.length + 7) >> 3).fill(0xff);
    nullCount++;
    validity[index >> 3] = (validity[index >> 3] ?? 0) & ~(1 << (index & 7));
  }
  return validity === undefined ? noNulls : { nullCount, validity };
}

/** The parts of a type's layout besides its NULLs. */
interface Layout {
  readonly data?: FixedData;
  readonly offsets?: Int32Array;
  readonly children?: ColumnData[];
}

function layoutOf(type: SqlType, values: readonly Value[]): Layout {
  switch (type.kind) {
    case 'BOOL':
      return { data: bits(values) };
    case 'INT64':
    case 'TIMESTAMP':
      return { data: int64s(values, BigInt) };
    case 'DATETIME':
      return { data: int64s(values, (value) => microsOfDatetime(String(value))) };
    case 'TIME':
      return { data: int64s(values, (value) => microsOfTime(String(value))) };
    case 'DATE':
      return { data: Int32Array.from(values, (value) => (value === null ? 0 : daysOf(String(value)))) };
    case 'FLOAT64':
      return { data: Float64Array.from(values, (value) => (value === null ? 0 : Number(value))) };
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return { data: decimalWords(values, decimals[type.kind]) };
    case 'BYTES':
      return binaries(values);
    case 'STRING':
    case 'JSON':
    case 'INTERVAL':
    case 'GEOGRAPHY':
      return texts(values);
    case 'ARRAY':
      return lists(type.element, values);
    case 'STRUCT':
      return {
        children: type.fields.map((field, index) =>
          columnOfValues(
            field.type,
            values.map((value) => (isList(value) ? (value[index] ?? null) : null)),
          ),
        ),
      };
  }
}

function bits(values: readonly Value[]): Uint8Array {
  const bytes = new Uint8Array((values.length + 7) >> 3);
  for (let index = 0; index < values.length; index++) {
    if (values[index] === true) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bytes;
}

function int64s(values: readonly Value[], read: (value: bigint | string) => bigint): BigInt64Array {
  const words = new BigInt64Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value === 'bigint') words[index] = value;
    else if (typeof value === 'string') words[index] = read(value);
  }
  return words;
}

/** Integers in two's complement of several 64-bit words each, the lowest first. */
function decimalWords(
  values: readonly Value[],
  { bits, scale }: { readonly bits: number; readonly scale: number },
): Uint32Array {
  const each = bits / 64;
  const words = new BigInt64Array(values.length * each);
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    let rest = unscaled(String(value), scale);
    for (let word = 0; word < each; word++) {
      words[index * each + word] = BigInt.asIntN(64, rest);
      rest >>= 64n;
    }
  }
  return new Uint32Array(words.buffer);
}

function texts(values: readonly Value[]): Layout {
  let length = 0;
  for (const value of values) if (value !== null) length += String(value).length;
  // UTF-8 has at most three bytes for each unit of UTF-16.
  const data = Buffer.allocUnsafe(length * 3);
  const offsets = new Int32Array(values.length + 1);
  let at = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value === 'string') at += data.write(value, at, 'utf8');
    offsets[index + 1] = at;
  }
  return { data: data.subarray(0, at), offsets };
}

function binaries(values: readonly Value[]): Layout {
  const pieces = values.map((value) =>
    value === null ? Buffer.alloc(0) : Buffer.from(String(value), 'base64'),
  );
  const offsets = new Int32Array(values.length + 1);
  for (const [index, piece] of pieces.entries()) offsets[index + 1] = (offsets[index] ?? 0) + piece.length;
  return { data: Buffer.concat(pieces), offsets };
}

/** A NULL array is empty, as on REST: GoogleSQL's results don't distinguish them. */
function lists(element: SqlType, values: readonly Value[]): Layout {
  const elements: Value[] = [];
  const offsets = new Int32Array(values.length + 1);
  for (const [index, value] of values.entries()) {
    if (isList(value)) for (const item of value) elements.push(item);
    offsets[index + 1] = elements.length;
  }
  return { offsets, children: [columnOfValues(element, elements)] };
}

/** Days since 1970-01-01 of a `YYYY-MM-DD`. */
function daysOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

/** Microseconds since 1970-01-01T00:00:00 of a `YYYY-MM-DDTHH:MM:SS[.ffffff]`. */
function microsOfDatetime(datetime: string): bigint {
  return BigInt(Date.parse(`${datetime.slice(0, 19)}Z`)) * 1000n + fractionOf(datetime.slice(20));
}

/** Microseconds since midnight of an `HH:MM:SS[.ffffff]`. */
function microsOfTime(time: string): bigint {
  const [hours, minutes, seconds] = time.slice(0, 8).split(':').map(Number);
  const whole = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  return BigInt(whole) * 1_000_000n + fractionOf(time.slice(9));
}

function fractionOf(digits: string): bigint {
  return digits === '' ? 0n : BigInt(digits.padEnd(6, '0'));
}

/** The integer of a decimal number without its point, with this many digits after it. */
function unscaled(decimal: string, scale: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
}
