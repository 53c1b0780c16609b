import type { Column, StructField } from './type.ts';

/** The keys of a row. Unnamed columns are `f0_`, `f1_`, ..., counted separately. */
export function columnNames(columns: readonly Column[]): string[] {
  let unnamed = 0;
  return columns.map(({ name }) => name || `f${unnamed++}_`);
}

/** The keys of a record. Unnamed fields are `_field_` and their position, starting at 1. */
export function structFieldNames(fields: readonly StructField[]): string[] {
  return fields.map(({ name }, index) => name || `_field_${index + 1}`);
}
