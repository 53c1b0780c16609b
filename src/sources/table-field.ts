import { z } from 'zod';
import { type ColumnMode, columnModes } from './source.ts';

/**
 * A column or a field of a record as BigQuery describes it (`TableFieldSchema`): in a schema file, a table, an answer. Its
 * many other keys (maxLength, policyTags, ...) don't matter here.
 */
export interface TableField {
  readonly name: string;
  /** By its standard or its legacy name: `INT64`, `INTEGER`. */
  readonly type: string;
  readonly mode: ColumnMode;
  readonly description?: string | undefined;
  /** Of a record. */
  readonly fields?: readonly TableField[] | undefined;
}

/** Reads a {@link TableField}. */
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
