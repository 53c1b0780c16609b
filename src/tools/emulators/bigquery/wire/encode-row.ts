import type { Column, SqlType } from '../../../../sql/values/type.ts';
import type { Row, Value } from '../../../../sql/values/value.ts';
import { datetimeTextOfMicros } from '../../../../sql/values/value-text.ts';

/** The format of timestamps: seconds as floating point (the default), microseconds, or text. */
export type TimestampFormat = 'FLOAT64' | 'INT64' | 'ISO8601_STRING';

interface Cell {
  readonly v: CellValue;
}
type CellValue = null | string | readonly Cell[] | WireRow;

/** A row in a response: cells by position, and records in the same form. */
export interface WireRow {
  readonly f: readonly Cell[];
}

export function encodeRow(columns: readonly Column[], row: Row, timestamps: TimestampFormat): WireRow {
  return { f: columns.map(({ type }, index) => ({ v: encode(type, row[index] ?? null, timestamps) })) };
}

function encode(type: SqlType, value: Value, timestamps: TimestampFormat): CellValue {
  if (type.kind === 'ARRAY') {
    // BigQuery's results don't distinguish a NULL array from an empty one.
    const elements = Array.isArray(value) ? value : [];
    return elements.map((element: Value) => ({ v: encode(type.element, element, timestamps) }));
  }
  if (value === null) return null;
  switch (type.kind) {
    case 'STRUCT':
      return encodeRow(type.fields, Array.isArray(value) ? value : [], timestamps);
    case 'FLOAT64':
      return javaDouble(Number(value));
    case 'TIMESTAMP':
      return timestampText(BigInt(String(value)), timestamps);
    default:
      return String(value);
  }
}

function timestampText(micros: bigint, format: TimestampFormat): string {
  switch (format) {
    case 'INT64':
      return String(micros);
    case 'ISO8601_STRING':
      return `${datetimeTextOfMicros(micros)}Z`;
    case 'FLOAT64':
      return javaDouble(Number(micros) / 1_000_000);
  }
}

/** Formats a number like Java's `Double.toString`, as BigQuery's responses do: `1.0`, `1.5E9`. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits = '', exponentText = '0'] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 ? '-' : '';
  const exponent = Number(exponentText);
  const significant = digits.replace('.', '');
  if (exponent < -3 || exponent >= 7) {
    return `${sign}${significant.slice(0, 1)}.${significant.slice(1) || '0'}E${exponent}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${significant}`;
  const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${significant.slice(exponent + 1) || '0'}`;
}
