import { storedPseudoColumn } from '../../../../definitions/sources/pseudo-columns.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';

/**
 * A column of the store's table, as SQL. Records are not such columns.
 *
 * @param table the table's alias, if the SQL needs one
 */
export function storedColumn(name: string, table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`;
  const pseudo = storedPseudoColumn(name);
  return pseudo === undefined
    ? `${prefix}${quoteIdentifier(name)}`
    : pseudo.replace('"timestamp"', `${prefix}"timestamp"`);
}
