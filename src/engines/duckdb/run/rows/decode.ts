import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { memoized } from '../../../../base/async/memoized.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { type Column, formatType, type SqlType, type StructType } from '../../../../sql/values/type.ts';
import type { Row, Value } from '../../../../sql/values/value.ts';
import {
  dateText,
  datetimeTextOfMicros,
  formatDecimal,
  formatInterval,
  timeTextOfMicros,
} from '../../../../sql/values/value-text.ts';
import { bignumericScale } from '../../dialect/decimal-units.ts';

type Decoder = (value: DuckDBValue) => Value;

/**
 * Returns a decoder from a row of DuckDB values to values of the columns' types. Built once for the same columns. A
 * value of another physical type than its column's is a defect and throws a TypeError.
 */
export const rowDecoder: (columns: readonly Column[]) => (row: readonly DuckDBValue[]) => Row = memoized(
  (columns: readonly Column[]) => {
    const decoders = columns.map((column) => decoderOf(column.type));
    return (row) => decoders.map((decode, i) => decode(row[i] ?? null));
  },
);

/** Returns a decoder from DuckDB values to values of one type. */
export function decoderOf(type: SqlType): Decoder {
  const decode = presentDecoder(type);
  return (value) => (value === null ? null : decode(value));
}

/** The decoder of values that aren't NULL. */
function presentDecoder(type: SqlType): Decoder {
  const fail = (value: DuckDBValue): never => {
    throw new TypeError(`DuckDB gave ${value?.constructor.name} where ${formatType(type)} was emitted`);
  };
  switch (type.kind) {
    case 'BOOL':
      return (value) => (typeof value === 'boolean' ? value : fail(value));
    case 'INT64':
      return (value) => (typeof value === 'bigint' ? value : fail(value));
    case 'FLOAT64':
      return (value) => (typeof value === 'number' ? value : fail(value));
    case 'STRING':
    case 'JSON':
      return (value) => (typeof value === 'string' ? value : fail(value));
    case 'TIMESTAMP':
      return (value) => (value instanceof DuckDBTimestampValue ? value.micros : fail(value));
    case 'DATETIME':
      return (value) =>
        value instanceof DuckDBTimestampValue ? datetimeTextOfMicros(value.micros) : fail(value);
    case 'DATE':
      return (value) => (value instanceof DuckDBDateValue ? dateText(value.days) : fail(value));
    case 'TIME':
      return (value) => (value instanceof DuckDBTimeValue ? timeTextOfMicros(value.micros) : fail(value));
    case 'NUMERIC':
      return (value) =>
        value instanceof DuckDBDecimalValue ? formatDecimal(value.value, value.scale) : fail(value);
    case 'BIGNUMERIC':
      return (value) => (typeof value === 'bigint' ? formatDecimal(value, bignumericScale) : fail(value));
    case 'BYTES':
      return (value) =>
        value instanceof DuckDBBlobValue ? Buffer.from(value.bytes).toString('base64') : fail(value);
    case 'INTERVAL':
      return (value) =>
        value instanceof DuckDBIntervalValue
          ? formatInterval(value.months, value.days, value.micros)
          : fail(value);
    case 'ARRAY': {
      const element = decoderOf(type.element);
      return (value) => (value instanceof DuckDBListValue ? value.items.map(element) : fail(value));
    }
    case 'STRUCT':
      return structDecoder(type, fail);
    case 'GEOGRAPHY':
      throw unsupported(`the type ${type.kind}`);
  }
}

/** Fields are decoded by position: their physical names are derived from the type, in the type's order. */
function structDecoder(type: StructType, fail: (value: DuckDBValue) => never): Decoder {
  const decoders = type.fields.map((field) => decoderOf(field.type));
  return (value) => {
    if (!(value instanceof DuckDBStructValue)) return fail(value);
    const fields: Value[] = [];
    for (const name in value.entries) {
      const decode = decoders[fields.length];
      if (decode === undefined) return fail(value);
      fields.push(decode(value.entries[name] ?? null));
    }
    return fields.length === decoders.length ? fields : fail(value);
  };
}
