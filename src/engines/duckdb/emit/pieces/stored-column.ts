import { rowKeyColumns, storedPseudoColumn } from '../../../../definitions/sources/pseudo-columns.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import type { KeySql } from '../../store/tables/key-sql.ts';

/**
 * A column of the store's table, as SQL. Records are not such columns.
 *
 * @param key that of the table's rows
 * @param table the table's alias, if the SQL needs one
 */
export function storedColumn(name: string, key: KeySql, table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`;
  if (name === rowKeyColumns.id) return key.rowId;
  if (name === rowKeyColumns.time) return key.time;
  const time =
    key.timeName === undefined ? key.time : key.timeOf(`${prefix}${quoteIdentifier(key.timeName)}`);
  return storedPseudoColumn(name, time) ?? `${prefix}${quoteIdentifier(name)}`;
}
