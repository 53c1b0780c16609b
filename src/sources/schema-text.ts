import type { Source } from './source.ts';
import type { TableField } from './table-field.ts';

/**
 * A table schema as the text of its file. Equal columns give equal texts.
 *
 * @param source the source, if queries can know more about its table
 */
export function schemaText(fields: readonly TableField[], source: Partial<Source> = {}): string {
  const { wildcard, partitioned } = source;
  const described = { ...(wildcard && { wildcard }), ...(partitioned && { partitioned }) };
  const schema = fields.map(written);
  const content = Object.keys(described).length === 0 ? schema : { ...described, fields: schema };
  return `${JSON.stringify(content, null, 2)}\n`;
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
