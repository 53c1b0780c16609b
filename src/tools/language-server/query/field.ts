import { pseudoColumns } from '../../../definitions/sources/pseudo-columns.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { type Column, elementType, type SqlType } from '../../../sql/values/type.ts';

/** A column of a table in a query, or a field of a record. */
export interface Field {
  readonly name: string;
  /** Undefined if only the analyzer could know it. */
  readonly type: SqlType | undefined;
  /** The fields of its record, or of the records in its array. */
  readonly fields: readonly Field[];
  /** The column or field of the source that it is, if it is one. */
  readonly column?: SourceColumn;
}

/** The fields of a source, without the columns that `SELECT *` does not have. */
export function fieldsOfSource({ columns }: Pick<Source, 'columns'>): readonly Field[] {
  return columns.map(fieldOfColumn);
}

/** The columns that BigQuery adds to a source. */
export function pseudoFieldsOf(source: Source): readonly Field[] {
  return pseudoColumns(source).map(({ name, type }) => fieldOfType(name, type));
}

function fieldOfColumn(column: SourceColumn): Field {
  return { name: column.name, type: column.type, fields: column.fields.map(fieldOfColumn), column };
}

export function fieldOfType(name: string, type: SqlType | undefined): Field {
  return { name, type, fields: type === undefined ? [] : fieldsOfType(type) };
}

function fieldsOfType(type: SqlType): readonly Field[] {
  const element = elementType(type);
  return element.kind === 'STRUCT' ? element.fields.map((field) => fieldOfType(field.name, field.type)) : [];
}

/** The same field with the type that the analyzer has found, if the field has none. */
export function typedBy(field: Field, columns: readonly Column[]): Field {
  if (field.type !== undefined) return field;
  const found = columns.filter(({ name }) => isSameName(name, field.name));
  return found.length === 1 ? fieldOfType(field.name, found[0]?.type) : field;
}

/** Finds a field by its name. */
export function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => isSameName(field.name, name));
}

/** GoogleSQL ignores the letter case of columns and aliases. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
