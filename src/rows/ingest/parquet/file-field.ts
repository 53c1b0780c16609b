import { DuckDBListType, type DuckDBStructType, type DuckDBType } from '@duckdb/node-api';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';

/** A column of a Parquet file, or a field of a record in it. */
export interface FileField {
  readonly name: string;
  readonly type: DuckDBType;
  /** As SQL. */
  readonly value: string;
}

/** Rows with longer lists are validated one by one, because they may exceed the limit of values in a row. */
export const fewElements = 100;

/** In a repeated field, an empty list equals a missing one, whatever the type of its elements. */
export function hasNothing({ type, value }: FileField): string {
  return type instanceof DuckDBListType ? `(${value} IS NULL OR len(${value}) = 0)` : `${value} IS NULL`;
}

/** The fields of a record, given as SQL. */
export function fieldsOf({ entryNames, entryTypes }: DuckDBStructType, record: string): FileField[] {
  return entryTypes.flatMap((type, i): FileField[] => {
    const name = entryNames[i];
    if (name === undefined) return [];
    return [{ name, type, value: `struct_extract(${record}, ${stringLiteral(name)})` }];
  });
}

/** The condition that all of these are true. It is never NULL. */
export function allOf(conditions: readonly string[]): string {
  return `coalesce(${conditions.join(' AND ') || 'true'}, false)`;
}
