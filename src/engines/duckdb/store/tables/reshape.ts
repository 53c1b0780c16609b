import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { duckType, physicalFieldNames, quoteIdentifier } from '../../dialect/duck-type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { fieldName } from './flat-layout.ts';
import { structOf } from './reshape-flat.ts';
import { findColumn } from './schema-change.ts';
import type { StoredColumn } from './stored-schema.ts';

/**
 * The SELECT list that reads a table made from `stored` in the form of `wanted`: columns and fields by name, in the wanted
 * order, NULL for a new one, an empty list for a new repeated one.
 */
export function reshapeColumns(stored: readonly StoredColumn[], wanted: readonly SourceColumn[]): string {
  return wanted
    .map((column) => {
      const name = quoteIdentifier(column.name);
      const old = findColumn(stored, column.name);
      return `${old === undefined ? newValue(column) : reshape(name, old, column, 0)} AS ${name}`;
    })
    .join(', ');
}

function newValue(column: SourceColumn): string {
  return `CAST(${column.mode === 'REPEATED' ? '[]' : 'NULL'} AS ${duckType(column.type)})`;
}

function reshape(value: string, old: StoredColumn, column: SourceColumn, depth: number): string {
  if (column.fields.length === 0) return value;
  if (column.mode !== 'REPEATED') return reshapeRecord(value, old, column, depth);
  const element = `e${depth}`;
  return `list_transform(${value}, lambda ${element}: ${reshapeRecord(element, old, column, depth + 1)})`;
}

function reshapeRecord(value: string, old: StoredColumn, column: SourceColumn, depth: number): string {
  const record = structOf(old.fields);
  const names = physicalFieldNames(structOf(column.fields));
  const fields = column.fields.map((field, i) => {
    const oldField = findColumn(old.fields, field.name);
    const read = (of: StoredColumn) =>
      `struct_extract(${value}, ${stringLiteral(fieldName(record, old.fields.indexOf(of)))})`;
    const reshaped =
      oldField === undefined ? newValue(field) : reshape(read(oldField), oldField, field, depth);
    return `${names[i]} := ${reshaped}`;
  });
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(', ')}) END`;
}
