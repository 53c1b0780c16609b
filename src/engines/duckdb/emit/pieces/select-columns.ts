import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { columnName } from './column-name.ts';

/** Selected if there are no columns, so that the relation keeps its rows. */
export const noColumns: ReadonlyMap<string, string> = new Map([['c0', '1']]);

/**
 * The output columns of a scan, named as in `targets` if given, each from the input's column at its position.
 */
export function selectColumns(
  columns: readonly ResolvedColumn[],
  targets: readonly ResolvedColumn[] = columns,
): ReadonlyMap<string, string> {
  if (columns.length === 0) return noColumns;
  if (targets.length !== columns.length) {
    throw new TypeError('The resolved tree is malformed: columns do not match');
  }
  return new Map(columns.map((column, i) => [columnName(targets[i] ?? column), columnName(column)]));
}
