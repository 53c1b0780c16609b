import { type Column, formatType, type SqlType } from '../values/type.ts';
import type { Row, Value } from '../values/value.ts';
import { dateText, datetimeTextOfMicros, formatDecimal, timeTextOfMicros } from '../values/value-text.ts';
import { type ColumnBatch, type ColumnData, decimals, isPresent } from './column-batch.ts';

/** Returns the value at an index. */
type ValueAt = (index: number) => Value;

/** The rows of a batch, with values in the forms of `Value`. */
export function rowsOfColumns(columns: readonly Column[], batch: ColumnBatch): Row[] {
  const readers = batch.columns.map((data, index) => valuesOf(typeAt(columns, index), data));
  return Array.from({ length: batch.length }, (_, row) => readers.map((read) => read(row)));
}

/** The type of a batch's column. */
export function typeAt(columns: readonly Column[], index: number): SqlType {
  const type = columns[index]?.type;
  if (type === undefined) throw new TypeError('The batch has more columns than the result');
  return type;
}

function valuesOf(type: SqlType, column: ColumnData): ValueAt {
  const read = presentValues(type, column);
  return column.validity === undefined ? read : (index) => (isPresent(column, index) ? read(index) : null);
}

/** Reads values that aren't NULL. */
function presentValues(type: SqlType, column: ColumnData): ValueAt {
  const { data, offsets, children = [] } = column;
  switch (type.kind) {
    case 'BOOL': {
      const bits = ofClass(Uint8Array, data, type);
      return (index) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
    }
    case 'INT64':
    case 'TIMESTAMP': {
      const words = ofClass(BigInt64Array, data, type);
      return (index) => words[index] ?? 0n;
    }
    case 'DATETIME': {
      const words = ofClass(BigInt64Array, data, type);
      return (index) => datetimeTextOfMicros(words[index] ?? 0n);
    }
    case 'TIME': {
      const words = ofClass(BigInt64Array, data, type);
      return (index) => timeTextOfMicros(words[index] ?? 0n);
    }
    case 'DATE': {
      const days = ofClass(Int32Array, data, type);
      return (index) => dateText(days[index] ?? 0);
    }
    case 'FLOAT64': {
      const doubles = ofClass(Float64Array, data, type);
      return (index) => doubles[index] ?? 0;
    }
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      const { scale } = decimals[type.kind];
      const units = decimalUnits(type.kind, column);
      return (index) => formatDecimal(units(index), scale);
    }
    case 'BYTES':
      return texts(column, type, 'base64');
    case 'STRING':
    case 'JSON':
    case 'INTERVAL':
    case 'GEOGRAPHY':
      return texts(column, type, 'utf8');
    case 'ARRAY': {
      const [child] = children;
      if (child === undefined || offsets === undefined) throw misfit(type);
      const element = valuesOf(type.element, child);
      return (index) => {
        const values: Value[] = [];
        const end = offsets[index + 1] ?? 0;
        for (let at = offsets[index] ?? 0; at < end; at++) values.push(element(at));
        return values;
      };
    }
    case 'STRUCT': {
      const fields = type.fields.map((field, index) => {
        const child = children[index];
        if (child === undefined) throw misfit(type);
        return valuesOf(field.type, child);
      });
      return (index) => fields.map((field) => field(index));
    }
  }
}

/** Reads the units of decimal numbers that aren't NULL. */
export function decimalUnits(kind: keyof typeof decimals, { data }: ColumnData): (index: number) => bigint {
  const units = ofClass(Uint32Array, data, { kind });
  const each = decimals[kind].bits / 32;
  return (index) => {
    let sum = BigInt((units[index * each + each - 1] ?? 0) | 0);
    for (let word = each - 2; word >= 0; word--) sum = (sum << 32n) | BigInt(units[index * each + word] ?? 0);
    return sum;
  };
}

function texts({ data, offsets }: ColumnData, type: SqlType, encoding: 'utf8' | 'base64'): ValueAt {
  const bytes = ofClass(Uint8Array, data, type);
  if (offsets === undefined) throw misfit(type);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (index) => buffer.toString(encoding, offsets[index], offsets[index + 1]);
}

/**
 * The data of a column, of the class that its type requires.
 *
 * @throws TypeError if it is of another one, which is a defect
 */
export function ofClass<Data extends NonNullable<ColumnData['data']>>(
  wanted: abstract new (...parameters: never[]) => Data,
  data: ColumnData['data'],
  type: SqlType,
): Data {
  if (!(data instanceof wanted)) throw misfit(type);
  return data;
}

/** The error for a column whose layout isn't that of its type. */
export function misfit(type: SqlType): TypeError {
  return new TypeError(`the engine returned a column that is not of type ${formatType(type)}`);
}
