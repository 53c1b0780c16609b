import type { SourceColumn } from '../../../sources/source.ts';
import type { Column, ScalarTypeName, SqlType } from '../../../sql/type.ts';

/** `TableFieldSchema` of BigQuery's reference. */
export interface FieldSchema {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REQUIRED' | 'REPEATED';
  readonly description?: string;
  readonly fields?: readonly FieldSchema[];
}

/** Where answers write a type by its old name. */
const legacyNames: Partial<Record<ScalarTypeName | 'STRUCT', string>> = {
  BOOL: 'BOOLEAN',
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  STRUCT: 'RECORD',
};

/** The schema of a query's result. A column or field without a name gets one: `f0_`, `_field_1`. */
export function resultSchema(columns: readonly Column[]): { readonly fields: readonly FieldSchema[] } {
  let unnamed = 0;
  return { fields: columns.map(({ name, type }) => fieldSchema(name || `f${unnamed++}_`, type)) };
}

/** The schema of a table, as it was declared. */
export function declaredSchema(columns: readonly SourceColumn[]): readonly FieldSchema[] {
  return columns.map(({ name, type, mode, description, fields }) => ({
    name,
    type: typeName(elementOf(type)),
    mode,
    ...(description !== undefined && { description }),
    ...(fields.length > 0 && { fields: declaredSchema(fields) }),
  }));
}

function fieldSchema(name: string, type: SqlType): FieldSchema {
  const element = elementOf(type);
  return {
    name,
    type: typeName(element),
    mode: type.kind === 'ARRAY' ? 'REPEATED' : 'NULLABLE',
    ...(element.kind === 'STRUCT' && {
      fields: element.fields.map((field, index) =>
        fieldSchema(field.name || `_field_${index + 1}`, field.type),
      ),
    }),
  };
}

function elementOf(type: SqlType): SqlType {
  return type.kind === 'ARRAY' ? type.element : type;
}

function typeName({ kind }: SqlType): string {
  return kind === 'ARRAY' ? kind : (legacyNames[kind] ?? kind);
}
