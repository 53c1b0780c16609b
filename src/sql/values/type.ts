/** The scalar types of GoogleSQL, by their names in BigQuery. */
export const scalarTypeNames = [
  'BOOL',
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'STRING',
  'BYTES',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
  'INTERVAL',
  'JSON',
  'GEOGRAPHY',
] as const;

export type ScalarTypeName = (typeof scalarTypeNames)[number];

export interface ScalarType {
  readonly kind: ScalarTypeName;
}

interface ArrayType {
  readonly kind: 'ARRAY';
  readonly element: SqlType;
}

export interface StructField {
  /** Empty if the field has no name. Names may repeat, and may differ only in letter case. */
  readonly name: string;
  readonly type: SqlType;
}

export interface StructType {
  readonly kind: 'STRUCT';
  readonly fields: readonly StructField[];
}

/** A GoogleSQL type. Types are equal if their structures are. */
export type SqlType = ScalarType | ArrayType | StructType;

/** A column of a result or table. `name` is empty for an unnamed result column. */
export interface Column {
  readonly name: string;
  readonly type: SqlType;
}

/** The type of an array's elements, or the type itself. */
export function elementType(type: SqlType): SqlType {
  return type.kind === 'ARRAY' ? type.element : type;
}

/**
 * The type in GoogleSQL syntax, for messages and for comparison: `INT64`, `ARRAY<STRUCT<path STRING>>`.
 */
export function formatType(type: SqlType): string {
  switch (type.kind) {
    case 'ARRAY':
      return `ARRAY<${formatType(type.element)}>`;
    case 'STRUCT':
      return `STRUCT<${type.fields.map(formatField).join(', ')}>`;
    default:
      return type.kind;
  }
}

function formatField(field: StructField): string {
  return field.name === '' ? formatType(field.type) : `${field.name} ${formatType(field.type)}`;
}
