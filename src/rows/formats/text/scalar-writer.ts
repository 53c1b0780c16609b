import { type ColumnData, decimals } from '../../../sql/columns/column-batch.ts';
import { decimalUnits, misfit, ofClass } from '../../../sql/columns/rows-of-columns.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import {
  dateText,
  datetimeTextOfMicros,
  formatDecimal,
  timeTextOfMicros,
} from '../../../sql/values/value-text.ts';
import type { ByteWriter } from './byte-writer.ts';

/** The digit 0, and the minus. */
const zero = 0x30;
const minus = 0x2d;

/** Beyond this many digits, an integer has two parts, as machine integers are faster than doubles. */
const partDigits = 9;
const part = 10 ** partDigits;

/** Writes a safe integer. */
function writeInteger(out: ByteWriter, value: number): void {
  out.reserve(20);
  let rest = value;
  if (rest < 0) {
    out.byte(minus);
    rest = -rest;
  }
  if (rest < part) {
    writeDigits(out, rest, digitsOf(rest));
    return;
  }
  const high = Math.floor(rest / part);
  writeDigits(out, high, digitsOf(high));
  writeDigits(out, rest - high * part, partDigits);
}

/** Writes a non-negative integer with this many digits, up to nine, with zeros in front. */
function writeDigits(out: ByteWriter, value: number, count: number): void {
  const bytes = out.reserve(count);
  let rest = value | 0;
  for (let at = out.length + count - 1; at >= out.length; at--) {
    const tenth = (rest / 10) | 0;
    bytes[at] = zero + rest - tenth * 10;
    rest = tenth;
  }
  out.length += count;
}

function digitsOf(value: number): number {
  let count = 1;
  for (let power = 10; power <= value; power *= 10) count++;
  return count;
}

const microsPerSecond = 1_000_000;

const microsPerDay = 86_400 * microsPerSecond;

const [colon, point, letterT] = [0x3a, 0x2e, 0x54];

/** Writes the value at an index, which isn't NULL. */
export type WriteValue = (out: ByteWriter, index: number) => void;

const letterZ = 0x5a;

/** With an upper half below this, a 64-bit integer is exact as a number. */
const maxUpper = 2 ** 21;

/** Integers of 64 bits: as numbers where those are exact, which is faster. */
function integerWriter(
  type: SqlType,
  { data }: ColumnData,
  write: (out: ByteWriter, value: number) => void,
  writeLarge: (out: ByteWriter, value: bigint) => void,
): WriteValue {
  const large = ofClass(BigInt64Array, data, type);
  const halves = new Int32Array(large.buffer, large.byteOffset, large.length * 2);
  return (out, index) => {
    const upper = halves[index * 2 + 1] ?? 0;
    if (upper >= -maxUpper && upper < maxUpper) {
      write(out, upper * 2 ** 32 + ((halves[index * 2] ?? 0) >>> 0));
    } else writeLarge(out, large[index] ?? 0n);
  };
}

const writeLargeInteger = (out: ByteWriter, value: bigint) => out.ascii(String(value));
const writeLargeTime = (out: ByteWriter, value: bigint) => out.ascii(timeTextOfMicros(value));
const writeLargeDatetime = (out: ByteWriter, value: bigint) => out.ascii(datetimeTextOfMicros(value));

/** INT64, or TIMESTAMP in microseconds. */
export function writeIntegers(type: SqlType, column: ColumnData): WriteValue {
  return integerWriter(type, column, writeInteger, writeLargeInteger);
}

/** TIMESTAMP as RFC 3339 has it, in UTC. */
export function writeTimestamps(type: SqlType, column: ColumnData): WriteValue {
  const write = integerWriter(type, column, writeDatetime, writeLargeDatetime);
  return (out, index) => {
    write(out, index);
    out.byte(letterZ);
  };
}

export function writeBooleans(type: SqlType, { data }: ColumnData): WriteValue {
  const bits = ofClass(Uint8Array, data, type);
  return (out, index) => out.ascii(((bits[index >> 3] ?? 0) & (1 << (index & 7))) === 0 ? 'false' : 'true');
}

/** The texts of values of the other types that consist of ASCII characters which need no escape in any format. */
export function writePlainTexts(type: SqlType, column: ColumnData): WriteValue {
  switch (type.kind) {
    case 'DATE': {
      const days = ofClass(Int32Array, column.data, type);
      return (out, index) => writeDate(out, days[index] ?? 0);
    }
    case 'DATETIME':
      return integerWriter(type, column, writeDatetime, writeLargeDatetime);
    case 'TIME':
      return integerWriter(type, column, writeTime, writeLargeTime);
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      const { scale } = decimals[type.kind];
      const units = decimalUnits(type.kind, column);
      return (out, index) => out.ascii(formatDecimal(units(index), scale));
    }
    case 'BYTES': {
      const { data, offsets } = textsOf(type, column);
      return (out, index) => {
        const [from = 0, to = 0] = [offsets[index], offsets[index + 1]];
        out.ascii(Buffer.from(data.buffer, data.byteOffset + from, to - from).toString('base64'));
      };
    }
    default:
      throw misfit(type);
  }
}

/** The texts of a column, or its bytes. */
export function textsOf(type: SqlType, { data, offsets }: ColumnData) {
  if (offsets === undefined) throw misfit(type);
  return { data: ofClass(Uint8Array, data, type), offsets };
}

/** Writes a DATE, in days since 1970-01-01. */
function writeDate(out: ByteWriter, days: number): void {
  out.ascii(dateText(days));
}

/** Writes a DATETIME, in microseconds since 1970-01-01, which must be a safe integer. */
function writeDatetime(out: ByteWriter, micros: number): void {
  const days = Math.floor(micros / microsPerDay);
  writeDate(out, days);
  out.byte(letterT);
  writeTime(out, micros - days * microsPerDay);
}

/** Writes a TIME, in microseconds since midnight. */
function writeTime(out: ByteWriter, micros: number): void {
  const seconds = Math.floor(micros / microsPerSecond);
  const fraction = micros - seconds * microsPerSecond;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  writeDigits(out, hours, 2);
  out.byte(colon);
  writeDigits(out, minutes - hours * 60, 2);
  out.byte(colon);
  writeDigits(out, seconds - minutes * 60, 2);
  if (fraction === 0) return;
  out.byte(point);
  writeDigits(out, fraction, 6);
}
