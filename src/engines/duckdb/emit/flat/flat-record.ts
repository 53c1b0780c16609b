import type { SqlType } from '../../../../sql/type.ts';
import type { UsedFields } from '../../../../sql/used-fields.ts';
import { fieldPath, presenceName, recordType, wholeValue } from '../../store/flat-layout.ts';

/** A record, or an array of at most one, whose leaves are columns of a table in flat form. It is no column itself. */
export interface FlatRecord {
  readonly path: string;
  /** A STRUCT, or an ARRAY of STRUCT. */
  readonly type: SqlType;
  /** The SQL of a column of the flat form, by its name. */
  readonly column: (name: string) => string;
  /** How a value is made of all of it, where each of its columns costs more: behind a border, which one condition is for all of them. */
  readonly whole?: Whole | undefined;
}

export interface Whole {
  readonly column: (name: string) => string;
  /** What is put around the value. */
  readonly around: (value: string) => string;
}

/**
 * The record of a table's column.
 *
 * @param column notes that a column of the flat form is used, and gives its SQL
 */
export function recordOfTable(name: string, type: SqlType, column: FlatRecord['column']): FlatRecord {
  return { path: name, type, column };
}

/** The SQL that tells whether there is a record: true, false for an empty array, or NULL. */
export function presenceOf({ path, column }: FlatRecord): string {
  return column(presenceName(path));
}

/** What {@link presenceOf} gives for the records that the record is in. */
export function presencesAround({ path, column }: FlatRecord): string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, i) => column(presenceName(parts.slice(0, i + 1).join('.'))));
}

/** The one element that an array may have. Where there is none, its leaves are NULL. */
export function elementOf({ type, ...record }: FlatRecord): FlatRecord {
  return { ...record, type: type.kind === 'ARRAY' ? type.element : type };
}

/** A field that is a record, or the SQL of one that is a leaf. */
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

/** The SQL of the record as a value, of which that much is used. */
export function recordValue({ path, type, column, whole }: FlatRecord, used?: UsedFields): string {
  if (whole === undefined) return wholeValue(path, type, column, used);
  return whole.around(wholeValue(path, type, whole.column, used));
}
