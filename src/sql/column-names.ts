import type { Column, StructField } from './type.ts';

/** The keys of a row: the unnamed columns among them are `f0_`, `f1_`, ..., counted by themselves. */
export function columnNames(columns: readonly Column[]): string[] {
  let unnamed = 0;
  return columns.map(({ name }) => name || `f${unnamed++}_`);
}

/** The keys of a record: an unnamed field is `_field_` and its position, counted from 1. */
export function structFieldNames(fields: readonly StructField[]): string[] {
  return fields.map(({ name }, index) => name || `_field_${index + 1}`);
}
