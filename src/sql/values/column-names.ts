import type { Column, StructField } from './type.ts';

/** The keys of a row. Unnamed columns are `f0_`, `f1_`, ..., counted separately. */
export function columnNames(columns: readonly Column[]): string[] {
  let unnamed = 0;
  return columns.map(({ name }) => name || `f${unnamed++}_`);
}

/**
 * The columns of a result with names that differ, as BigQuery names them: of three columns `a`, the second one is `a_1` and
 * the third one `a_2`. Letter case doesn't count. A column keeps its name if another one has that name already.
 */
export function uniquelyNamed(columns: readonly Column[]): readonly Column[] {
  const written = new Set(columns.map(({ name }) => name.toLowerCase()));
  const counts = new Map<string, number>();
  return columns.map((column) => {
    const key = column.name.toLowerCase();
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const name = `${column.name}_${count}`;
    return key === '' || count === 0 || written.has(name.toLowerCase()) ? column : { ...column, name };
  });
}

/** The keys of a record. Unnamed fields are `_field_` and their position, starting at 1. */
export function structFieldNames(fields: readonly StructField[]): string[] {
  return fields.map(({ name }, index) => name || `_field_${index + 1}`);
}
