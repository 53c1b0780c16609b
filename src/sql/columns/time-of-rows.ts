import type { Column, ScalarType, SqlType } from '../values/type.ts';

/** Types of columns that can order rows in time. */
const timeTypes: ReadonlySet<SqlType['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);

/** Whether columns of a type can order rows in time. */
export function isTime(type: SqlType): type is ScalarType {
  return timeTypes.has(type.kind);
}

/**
 * The position of the column with the time of a row, among the columns of a table. -1 if its rows have no time.
 *
 * @param named the column, if it isn't `timestamp`
 */
export function timeAt(columns: readonly Column[], named = 'timestamp'): number {
  return columns.findIndex(({ name, type }) => name.toLowerCase() === named.toLowerCase() && isTime(type));
}
