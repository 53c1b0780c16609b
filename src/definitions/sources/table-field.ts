import { z } from 'zod';
import { elementType, type ScalarTypeName, type SqlType } from '../../sql/values/type.ts';
import { type ColumnMode, columnModes, type SourceColumn } from './source.ts';

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
  /** What it was called before. */
  readonly was?: string | undefined;
  /** Whether events have added it. Not in files. */
  readonly isAdded?: boolean | undefined;
}

/** The names of scalar types in BigQuery's table schemas: standard, legacy and the two decimal aliases. */
const scalarTypes: Readonly<Record<string, ScalarTypeName>> = {
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
  INT64: 'INT64',
  INTEGER: 'INT64',
  FLOAT64: 'FLOAT64',
  FLOAT: 'FLOAT64',
  NUMERIC: 'NUMERIC',
  DECIMAL: 'NUMERIC',
  BIGNUMERIC: 'BIGNUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
  STRING: 'STRING',
  BYTES: 'BYTES',
  DATE: 'DATE',
  DATETIME: 'DATETIME',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  INTERVAL: 'INTERVAL',
  JSON: 'JSON',
  GEOGRAPHY: 'GEOGRAPHY',
};

/** The type names that a schema's file can have. */
const fieldTypeNames: readonly string[] = [...Object.keys(scalarTypes), 'RECORD'];

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
  was: z
    .string()
    .optional()
    .describe(
      'What it was called before, in the same record: the embedded store renames it, with its values.',
    ),
  get fields() {
    return z.array(tableField).optional().describe('The fields of a RECORD.');
  },
});

/** A field that events have added, with the fields in it. */
export function asAdded(field: TableField): TableField {
  return { ...field, ...(field.fields && { fields: field.fields.map(asAdded) }), isAdded: true };
}

/** The columns of a source in BigQuery's format, with standard names of types, and RECORD. */
export function tableFields(columns: readonly SourceColumn[]): TableField[] {
  return columns.map(({ name, type, mode, description, fields, isAdded, was }) => {
    const { kind } = elementType(type);
    return {
      name,
      type: kind === 'STRUCT' ? 'RECORD' : kind,
      mode,
      ...(description !== undefined && { description }),
      ...(isAdded && { isAdded }),
      ...(was !== undefined && { was }),
      ...(fields.length > 0 && { fields: tableFields(fields) }),
    };
  });
}

/** Up to 300 characters: letters of any script, marks, digits and the signs that BigQuery allows in column names. */
const columnName = /^[\p{L}\p{N}\p{M}\p{Pc}\p{Pd}&%=+:'<>#| ]{1,300}$/u;

/** BigQuery's limit for nested records. */
export const maxRecordDepth = 15;

/** Whether a column or a field of a record can have this name. */
export function isColumnName(name: string): boolean {
  return columnName.test(name);
}

/** The scalar type with this name, in any letter case. Undefined if there is none. */
export function scalarTypeName(name: string): ScalarTypeName | undefined {
  const upper = name.toUpperCase();
  return Object.hasOwn(scalarTypes, upper) ? scalarTypes[upper] : undefined;
}

/** Whether a name means a record. */
export function isRecordTypeName(name: string): boolean {
  return /^(?:RECORD|STRUCT)$/i.test(name);
}

/** The type of a record with these fields. */
export function recordType(fields: readonly SourceColumn[]): SqlType {
  return { kind: 'STRUCT', fields: fields.map(({ name, type }) => ({ name, type })) };
}

/** The type of a column with values of type `element`. */
export function columnType(element: SqlType, mode: ColumnMode): SqlType {
  return mode === 'REPEATED' ? { kind: 'ARRAY', element } : element;
}
