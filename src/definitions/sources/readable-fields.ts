import type { TableField } from './table-field.ts';
import { isRecordTypeName, scalarTypeName } from './table-field.ts';

/** The supported and unsupported columns of a table. */
export interface ReadableFields {
  readonly fields: readonly TableField[];
  readonly unreadable: readonly UnreadableField[];
}

interface UnreadableField {
  /** Its path, with the names of the records that contain it: `metadata.validity`. */
  readonly path: string;
  readonly type: string;
}

/** Separates columns and fields of unsupported types, and records without any supported field. */
export function readableFields(fields: readonly TableField[], within = ''): ReadableFields {
  const kept: TableField[] = [];
  const unreadable: UnreadableField[] = [];
  for (const field of fields) {
    const path = `${within}${field.name}`;
    if (isRecordTypeName(field.type)) {
      const inner = readableFields(field.fields ?? [], `${path}.`);
      unreadable.push(...inner.unreadable);
      if (inner.fields.length > 0) kept.push({ ...field, fields: inner.fields });
    } else if (scalarTypeName(field.type) !== undefined) {
      kept.push(field);
    } else {
      unreadable.push({ path, type: field.type });
    }
  }
  return { fields: kept, unreadable };
}
