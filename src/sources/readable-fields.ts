import { isRecordTypeName, scalarTypeName } from './column-type.ts';
import type { TableField } from './table-field.ts';

/** The columns of a table that a source can have, and those that it can't. */
export interface ReadableFields {
  readonly fields: readonly TableField[];
  readonly unreadable: readonly UnreadableField[];
}

interface UnreadableField {
  /** Its name, behind those of the records that it is in: `metadata.validity`. */
  readonly path: string;
  readonly type: string;
}

/** Leaves out columns and fields of types that a source can't have, and records of which nothing is left. */
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
