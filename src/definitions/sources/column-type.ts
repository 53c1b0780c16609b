import type { ScalarTypeName, SqlType } from '../../sql/values/type.ts';
import type { ColumnMode, SourceColumn } from './source.ts';

/** The names of scalar types in BigQuery's table schemas: standard, legacy and the two decimal aliases. */
const scalarTypes: Readonly<Record<string, ScalarTypeName>> = {
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
  INT64: 'INT64',
  INTEGER: 'INT64',
  FLOAT64: 'FLOAT64',
  FLOAT: 'FLOAT64',
  NUMERIC: 'NUMERIC',
  DECIMAL: 'NUMERIC',
  BIGNUMERIC: 'BIGNUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
  STRING: 'STRING',
  BYTES: 'BYTES',
  DATE: 'DATE',
  DATETIME: 'DATETIME',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  INTERVAL: 'INTERVAL',
  JSON: 'JSON',
  GEOGRAPHY: 'GEOGRAPHY',
};

/** The type names that a schema's file can have. */
export const fieldTypeNames: readonly string[] = [...Object.keys(scalarTypes), 'RECORD'];

/** The scalar type with this name, in any letter case. Undefined if there is none. */
export function scalarTypeName(name: string): ScalarTypeName | undefined {
  const upper = name.toUpperCase();
  return Object.hasOwn(scalarTypes, upper) ? scalarTypes[upper] : undefined;
}

/** Whether a name means a record. */
export function isRecordTypeName(name: string): boolean {
  return /^(?:RECORD|STRUCT)$/i.test(name);
}

/** The type of a record with these fields. */
export function recordType(fields: readonly SourceColumn[]): SqlType {
  return { kind: 'STRUCT', fields: fields.map(({ name, type }) => ({ name, type })) };
}

/** The type of a column with values of type `element`. */
export function columnType(element: SqlType, mode: ColumnMode): SqlType {
  return mode === 'REPEATED' ? { kind: 'ARRAY', element } : element;
}
