import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { columnNames, structFieldNames } from '../../../../sql/values/column-names.ts';
import {
  type Column,
  elementType,
  type ScalarTypeName,
  type SqlType,
  type StructField,
} from '../../../../sql/values/type.ts';
import type { Row, Value } from '../../../../sql/values/value.ts';
import { datetimeTextOfMicros } from '../../../../sql/values/value-text.ts';

/** `TableFieldSchema` of BigQuery's reference. */
interface FieldSchema {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REQUIRED' | 'REPEATED';
  readonly description?: string;
  readonly fields?: readonly FieldSchema[];
}

/** Types whose legacy name is used in responses. */
const legacyNames: Partial<Record<ScalarTypeName | 'STRUCT', string>> = {
  BOOL: 'BOOLEAN',
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  STRUCT: 'RECORD',
};

/** The schema of a query's result. Unnamed columns and fields get names: `f0_`, `_field_1`. */
export function resultSchema(columns: readonly Column[]): { readonly fields: readonly FieldSchema[] } {
  const names = columnNames(columns);
  return { fields: columns.map(({ type }, index) => fieldSchema(names[index] ?? '', type)) };
}

/** The schema of a table, as declared. */
export function declaredSchema(columns: readonly SourceColumn[]): readonly FieldSchema[] {
  return columns.map(({ name, type, mode, description, fields }) => ({
    name,
    type: typeName(elementType(type)),
    mode,
    ...(description !== undefined && { description }),
    ...(fields.length > 0 && { fields: declaredSchema(fields) }),
  }));
}

function recordSchema(fields: readonly StructField[]): readonly FieldSchema[] {
  const names = structFieldNames(fields);
  return fields.map(({ type }, index) => fieldSchema(names[index] ?? '', type));
}

function fieldSchema(name: string, type: SqlType): FieldSchema {
  const element = elementType(type);
  return {
    name,
    type: typeName(element),
    mode: type.kind === 'ARRAY' ? 'REPEATED' : 'NULLABLE',
    ...(element.kind === 'STRUCT' && {
      fields: recordSchema(element.fields),
    }),
  };
}

function typeName({ kind }: SqlType): string {
  return kind === 'ARRAY' ? kind : (legacyNames[kind] ?? kind);
}

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
