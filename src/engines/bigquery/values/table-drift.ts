import type { TableField } from '../../../definitions/sources/table-field.ts';
import { type Column, elementType } from '../../../sql/values/type.ts';
import { fieldTypeText, typeText } from './field-type.ts';

/**
 * The differences between a table and its declared columns, by name in any letter case; a sentence each, none if they
 * are equal. The order of columns is ignored, that of a record's fields is compared: whole records are read by it.
 */
export function tableDrift(declared: readonly Column[], actual: readonly TableField[]): string[] {
  return drift(declared, actual, '');
}

function drift(declared: readonly Column[], actual: readonly TableField[], within: string): string[] {
  const fields = new Map(actual.map((field) => [field.name.toLowerCase(), field]));
  const names = new Set(declared.map(({ name }) => name.toLowerCase()));
  const differences = declared.flatMap((column) => {
    const path = `${within}${column.name}`;
    const field = fields.get(column.name.toLowerCase());
    if (field === undefined) return [`${path} is declared, but not in the table`];
    return columnDrift(column, field, path);
  });
  const undeclared = actual.filter(({ name }) => !names.has(name.toLowerCase()));
  return [
    ...differences,
    ...undeclared.map(
      (field) => `${within}${field.name} ${fieldTypeText(field)} is in the table, but not declared`,
    ),
  ];
}

function columnDrift({ type }: Column, field: TableField, path: string): string[] {
  const [declared, actual] = [typeText(type), fieldTypeText(field)];
  if (declared !== actual) return [`${path} is declared as ${declared}, in the table it is ${actual}`];
  const record = elementType(type);
  if (record.kind !== 'STRUCT') return [];
  const inner = field.fields ?? [];
  const differences = drift(record.fields, inner, `${path}.`);
  if (differences.length > 0 || namesOf(record.fields) === namesOf(inner)) return differences;
  return [`${path} has its fields in the order ${inner.map(({ name }) => name).join(', ')} in the table`];
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name.toLowerCase()).join('\n');
}
