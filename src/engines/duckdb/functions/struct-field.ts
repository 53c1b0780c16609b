import type { SqlType } from '../../../sql/type.ts';
import { duckType } from '../duck-type.ts';
import { recordType } from '../store/flat-layout.ts';

/**
 * A field of a record, as SQL. DuckDB gives a field of a record that it knows to be NULL no type, and then doesn't know which of its
 * functions of times is meant. A cast to the type that a value has costs nothing.
 *
 * @param index from zero
 * @param type the field's type
 */
export function structField(record: string, index: number, type: SqlType): string {
  const field = `struct_extract_at(${record}, ${index + 1})`;
  return recordType(type) === undefined ? `CAST(${field} AS ${duckType(type)})` : field;
}
