import { parseType } from '../values/parse-type.ts';
import { type Column, elementType, type SqlType } from '../values/type.ts';

/** A column of a table in a query, or a field of a record. */
export interface Field {
  readonly name: string;
  /** Undefined if it is not known. */
  readonly type: SqlType | undefined;
  /** The fields of its record, or of the records in its array. */
  readonly fields: readonly Field[];
  /** `NULLABLE`, `REQUIRED` or `REPEATED`, if it is a column or field of a source. */
  readonly mode?: string | undefined;
  readonly description?: string | undefined;
}

/** A table that queries can read. */
export interface Table {
  /** As queries write it, apart from quotes. It can have dots. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** Columns that `SELECT *` does not have. */
  readonly pseudoFields?: readonly Field[];
  /** In Markdown. */
  readonly description?: string;
}

export function fieldOfType(name: string, type: SqlType | undefined): Field {
  const element = type && elementType(type);
  // Fields without a name can't be written.
  const members = element?.kind === 'STRUCT' ? element.fields.filter((field) => field.name !== '') : [];
  return { name, type, fields: members.map((field) => fieldOfType(field.name, field.type)) };
}

/** A column whose type is written, such as `ARRAY<STRUCT<path STRING>>`. */
export function writtenField({ name, type }: { readonly name: string; readonly type: string }): Field {
  return fieldOfType(name, parseType(type));
}

/** The same field with the type that the analyzer has found, if the field has none. */
export function typedBy(field: Field, columns: readonly Column[]): Field {
  if (field.type !== undefined) return field;
  const found = columns.filter(({ name }) => isSameName(name, field.name));
  return found.length === 1 ? fieldOfType(field.name, found[0]?.type) : field;
}

/** The field that names lead to, through records and arrays of them. */
export function fieldAt(
  fields: readonly Field[],
  [name = '', ...inside]: readonly string[],
): Field | undefined {
  const field = fields.find((each) => isSameName(each.name, name));
  return field === undefined || inside.length === 0 ? field : fieldAt(field.fields, inside);
}

/** GoogleSQL ignores the letter case of columns and aliases. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A type without the fields of its records, such as `ARRAY<STRUCT>`. */
export function shortType(type: SqlType): string {
  return type.kind === 'ARRAY' ? `ARRAY<${type.element.kind}>` : type.kind;
}

/** The kind of a field's values; of its elements if it is an array. */
export function valueKind(field: Field | undefined): SqlType['kind'] | undefined {
  return field?.type && elementType(field.type).kind;
}
