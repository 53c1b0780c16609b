import { elementType } from '../../sql/values/type.ts';
import type { SourceColumn } from './source.ts';
import type { TableField } from './table-field.ts';

/** The columns of a source in BigQuery's format, with standard names of types, and RECORD. */
export function tableFields(columns: readonly SourceColumn[]): TableField[] {
  return columns.map(({ name, type, mode, description, fields, isAdded }) => {
    const { kind } = elementType(type);
    return {
      name,
      type: kind === 'STRUCT' ? 'RECORD' : kind,
      mode,
      ...(description !== undefined && { description }),
      ...(isAdded && { isAdded }),
      ...(fields.length > 0 && { fields: tableFields(fields) }),
    };
  });
}
