import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { columnNames, structFieldNames } from '../../../../sql/values/column-names.ts';
import {
  type Column,
  elementType,
  type ScalarTypeName,
  type SqlType,
  type StructField,
} from '../../../../sql/values/type.ts';

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
