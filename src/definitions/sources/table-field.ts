import { z } from 'zod';
import { fieldTypeNames } from './column-type.ts';
import { type ColumnMode, columnModes } from './source.ts';

/**
 * A column or a field of a record in BigQuery's format (`TableFieldSchema`): in a schema file, a table or a response.
 * Other keys (maxLength, policyTags, ...) are ignored.
 */
export interface TableField {
  readonly name: string;
  /** Its standard or legacy name: `INT64`, `INTEGER`. */
  readonly type: string;
  readonly mode: ColumnMode;
  readonly description?: string | undefined;
  /** For a record. */
  readonly fields?: readonly TableField[] | undefined;
  /** Whether events have added it. Not in files. */
  readonly isAdded?: boolean | undefined;
}

/** Parses a {@link TableField}. */
export const tableField: z.ZodType<TableField> = z.object({
  name: z.string().describe('The name of the column or field.'),
  type: z
    .string()
    .meta({ description: 'Its type, by its standard or legacy name.', examples: [...fieldTypeNames] }),
  mode: z
    .string()
    .meta({ description: 'Whether it may be NULL, is required, or is a list.', examples: [...columnModes] })
    .transform((mode) => mode.toUpperCase())
    .pipe(z.enum(columnModes, { error: 'one of NULLABLE, REQUIRED, REPEATED' }))
    .default('NULLABLE'),
  description: z.string().optional().describe('What it contains.'),
  get fields() {
    return z.array(tableField).optional().describe('The fields of a RECORD.');
  },
});

/** A field that events have added, with the fields in it. */
export function asAdded(field: TableField): TableField {
  return { ...field, ...(field.fields && { fields: field.fields.map(asAdded) }), isAdded: true };
}
