import type { TableField } from '../../../definitions/sources/table-field.ts';
import { type Column, elementType } from '../../../sql/values/type.ts';
import { fieldTypeText, typeText } from './field-type.ts';

/**
 * The differences between the columns of a response and those that the analyzer expects, by position; a sentence each,
 * none if they are equal. Names are compared if the query gives one: BigQuery makes up others (`f0_`). Letter case is
 * ignored.
 */
export function resultDrift(expected: readonly Column[], actual: readonly TableField[]): string[] {
  return columnsDrift(expected, actual, 'the result', '');
}

function columnsDrift(
  expected: readonly Column[],
  actual: readonly TableField[],
  whole: string,
  within: string,
): string[] {
  if (expected.length !== actual.length) {
    return [`${whole} has ${actual.length} columns, not ${expected.length}`];
  }
  const counts = new Map<string, number>();
  for (const { name } of expected) {
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  }
  return expected.flatMap((column, index) => {
    const field = actual[index] as TableField;
    const folded = column.name.toLowerCase();
    const isNamed = folded !== '' && counts.get(folded) === 1;
    if (isNamed && field.name.toLowerCase() !== folded) {
      return [`column ${index + 1} of ${whole} is called ${field.name}, not ${column.name}`];
    }
    return columnDrift(column, field, columnPath(within, column.name, index));
  });
}

function columnDrift({ type }: Column, field: TableField, path: string): string[] {
  const [expected, actual] = [typeText(type), fieldTypeText(field)];
  if (expected !== actual) return [`${path} is ${actual}, not ${expected}`];
  const record = elementType(type);
  return record.kind === 'STRUCT' ? columnsDrift(record.fields, field.fields ?? [], path, `${path}.`) : [];
}

/** The name of a column or field in these sentences, or its number. */
export function columnPath(within: string, name: string, index: number): string {
  return `${within}${name === '' ? `column ${index + 1}` : name}`;
}
