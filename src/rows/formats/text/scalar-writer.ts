import { type ColumnData, decimals } from '../../../sql/columns/column-batch.ts';
import { decimalUnits, misfit, ofClass } from '../../../sql/columns/rows-of-columns.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import { datetimeTextOfMicros, formatDecimal, timeTextOfMicros } from '../../../sql/values/value-text.ts';
import type { ByteWriter } from './byte-writer.ts';
import { writeInteger } from './write-integer.ts';
import { writeDate, writeDatetime, writeTime } from './write-time.ts';

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
