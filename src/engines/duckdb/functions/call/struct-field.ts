import { elementType, type SqlType } from '../../../../sql/values/type.ts';
import { duckType } from '../../dialect/duck-type.ts';

/**
 * A field of a record as SQL. DuckDB gives a field of a constant NULL record no type, and then can't resolve its time
 * functions. A cast to the existing type costs nothing.
 *
 * @param index starting at zero
 * @param type the field's type
 */
export function structField(record: string, index: number, type: SqlType): string {
  const field = `struct_extract_at(${record}, ${index + 1})`;
  return elementType(type).kind !== 'STRUCT' ? `CAST(${field} AS ${duckType(type)})` : field;
}
