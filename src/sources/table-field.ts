import { z } from 'zod';
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
}

/** Parses a {@link TableField}. */
export const tableField: z.ZodType<TableField> = z.object({
  name: z.string(),
  type: z.string(),
  mode: z
    .string()
    .transform((mode) => mode.toUpperCase())
    .pipe(z.enum(columnModes, { error: 'one of NULLABLE, REQUIRED, REPEATED' }))
    .default('NULLABLE'),
  description: z.string().optional(),
  get fields() {
    return z.array(tableField).optional();
  },
});
