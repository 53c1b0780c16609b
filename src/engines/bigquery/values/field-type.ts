import type { TableField } from '../../../definitions/sources/table-field.ts';
import { isRecordTypeName, scalarTypeName } from '../../../definitions/sources/table-field.ts';
import type { SqlType } from '../../../sql/values/type.ts';

/** The type of a field, or of its elements if it is repeated. */
function elementKind({ type }: TableField): SqlType['kind'] | undefined {
  return isRecordTypeName(type) ? 'STRUCT' : scalarTypeName(type);
}

/** The type of a field for messages, with records without their fields: `ARRAY<STRUCT>`, `RANGE`. */
export function fieldTypeText(field: TableField): string {
  const element = elementKind(field) ?? field.type.toUpperCase();
  return field.mode === 'REPEATED' ? `ARRAY<${element}>` : element;
}

/** The same for a type. */
export function typeText(type: SqlType): string {
  return type.kind === 'ARRAY' ? `ARRAY<${typeText(type.element)}>` : type.kind;
}
