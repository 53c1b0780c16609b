import type { ResolvedColumn } from '../../../../sql/resolved/column.ts';
import { quoteIdentifier } from '../../duck-type.ts';
import { columnName } from '../column-name.ts';
import type { ScanEmitter } from '../emitter.ts';
import { project, relation } from '../relation.ts';
import { noColumns } from '../select-columns.ts';

/** Tables are in the order of this column, and DuckDB knows its bounds in each part of a table. */
function isTime({ name, type }: ResolvedColumn): boolean {
  return name.toLowerCase() === 'timestamp' && type.kind === 'TIMESTAMP';
}

export const tableScan: ScanEmitter = (node, emitter) => {
  if (node.has('for_system_time_expr')) throw node.refusal('FOR SYSTEM_TIME AS OF');
  const table = node.message('table');
  const source = relation(emitter.context.tableSql(String(table.full_name || table.name)));
  const columns = node.columns('column_list');
  if (columns.length === 0) return project(source, noColumns);
  const select = new Map(columns.map((column) => [columnName(column), quoteIdentifier(column.name)]));
  const times = columns.filter(isTime).map((column) => [columnName(column), columnName(column)] as const);
  return { ...project(source, select), times: new Map(times) };
};
