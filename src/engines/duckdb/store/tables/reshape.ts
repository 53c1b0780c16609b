import { duckType, physicalFieldNames, quoteIdentifier } from '../../dialect/duck-type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { convertedValue } from './convert-values.ts';
import { fieldName } from './flat-layout.ts';
import { structOf } from './leaves.ts';
import type { TableColumn } from './schema-change.ts';
import { columnsOfStored, type StoredColumn } from './stored-schema.ts';

/**
 * The SELECT list that reads whole rows in their new form: NULL for a new column, an empty list for a new repeated one, and
 * the values of the others, converted where their types differ.
 */
export function reshapeColumns(columns: readonly TableColumn[]): string {
  return columns
    .map((column) => {
      const { from } = column;
      const value =
        from === undefined ? newValue(column) : reshape(quoteIdentifier(from.name), from, column, 0);
      return `${value} AS ${quoteIdentifier(column.name)}`;
    })
    .join(', ');
}

function newValue(column: TableColumn): string {
  const [{ type } = { type: { kind: 'STRING' } as const }] = columnsOfStored([column]);
  return `CAST(${column.mode === 'REPEATED' ? '[]' : 'NULL'} AS ${duckType(type)})`;
}

function reshape(value: string, from: StoredColumn, column: TableColumn, depth: number): string {
  const isRepeated = column.mode === 'REPEATED';
  const one = (single: string, inner: number) =>
    column.kind === 'STRUCT'
      ? reshapeRecord(single, from, column, inner)
      : convertedValue(from.kind, column.kind, single);
  if (from.mode !== 'REPEATED') {
    const single = one(value, depth);
    return isRepeated ? `CASE WHEN ${value} IS NULL THEN [] ELSE [${single}] END` : single;
  }
  if (!isRepeated) return one(`list_extract(${value}, 1)`, depth);
  const list = from.isHidden && !column.isHidden ? `coalesce(${value}, [])` : value;
  if (column.kind !== 'STRUCT' && from.kind === column.kind) return list;
  const element = `e${depth}`;
  return `list_transform(${list}, lambda ${element}: ${one(element, depth + 1)})`;
}

function reshapeRecord(value: string, from: StoredColumn, column: TableColumn, depth: number): string {
  const record = structOf(from.fields);
  const names = physicalFieldNames(structOf(column.fields));
  const fields = column.fields.map((field, i) => {
    const read = (of: StoredColumn) =>
      `struct_extract(${value}, ${stringLiteral(fieldName(record, from.fields.indexOf(of)))})`;
    const { from: old } = field;
    return `${names[i]} := ${old === undefined ? newValue(field) : reshape(read(old), old, field, depth)}`;
  });
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(', ')}) END`;
}
