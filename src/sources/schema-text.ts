import type { TableField } from './table-field.ts';

/** A table schema as the text of its file. Equal columns give equal texts. */
export function schemaText(fields: readonly TableField[]): string {
  return `${JSON.stringify(fields.map(written), null, 2)}\n`;
}

function written({ name, type, mode, description, fields }: TableField): TableField {
  return {
    name,
    type,
    mode,
    ...(description !== undefined && description !== '' && { description }),
    ...(fields !== undefined && fields.length > 0 && { fields: fields.map(written) }),
  };
}
