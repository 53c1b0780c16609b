import type { UsedFields } from '../../../../sql/plan/used-fields.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { fieldPath, presenceName, recordType, wholeValue } from '../../store/tables/flat-layout.ts';

/** A record, or an array of at most one record, whose leaves are columns of a flat table. It is not a column itself. */
export interface FlatRecord {
  readonly path: string;
  /** A STRUCT, or an ARRAY of STRUCT. */
  readonly type: SqlType;
  /** Returns the SQL of a column of the flat form. */
  readonly column: (name: string) => string;
  /**
   * How to build the whole value where each column has an additional cost: on the caller's side of a border, where one
   * condition covers all columns.
   */
  readonly whole?: Whole | undefined;
}

interface Whole {
  readonly column: (name: string) => string;
  /** Wraps the value. */
  readonly around: (value: string) => string;
}

/**
 * The record in a table's column.
 *
 * @param column returns the SQL of a column of the flat form, and records its use
 */
export function recordOfTable(name: string, type: SqlType, column: FlatRecord['column']): FlatRecord {
  return { path: name, type, column };
}

/** The SQL of the record's presence: true, false for an empty array, or NULL. */
export function presenceOf({ path, column }: FlatRecord): string {
  return column(presenceName(path));
}

/** The presence of each record that contains the record. */
export function presencesAround({ path, column }: FlatRecord): string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, i) => column(presenceName(parts.slice(0, i + 1).join('.'))));
}

/** The single possible element of an array. If there is none, its leaves are NULL. */
export function elementOf({ type, ...record }: FlatRecord): FlatRecord {
  return { ...record, type: type.kind === 'ARRAY' ? type.element : type };
}

/** A field: a record, or the SQL of a leaf. */
export function fieldOf({ path, type, column, whole }: FlatRecord, index: number): FlatRecord | string {
  const record = type.kind === 'STRUCT' ? type : undefined;
  const field = record?.fields[index];
  if (record === undefined || field === undefined)
    throw new TypeError('The resolved tree is malformed: a field of no record');
  const name = fieldPath(path, record, index);
  return recordType(field.type) === undefined
    ? column(name)
    : { path: name, type: field.type, column, whole };
}

/** The SQL of the record as a value with only the used fields. */
export function recordValue({ path, type, column, whole }: FlatRecord, used?: UsedFields): string {
  if (whole === undefined) return wholeValue(path, type, column, used);
  return whole.around(wholeValue(path, type, whole.column, used));
}
