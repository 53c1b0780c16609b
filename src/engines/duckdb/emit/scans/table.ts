import { quoteIdentifier } from '../../duck-type.ts';
import { columnName } from '../column-name.ts';
import type { ScanEmitter } from '../emitter.ts';
import { project, relation } from '../relation.ts';
import { noColumns } from '../select-columns.ts';

export const tableScan: ScanEmitter = (node, emitter) => {
  if (node.has('for_system_time_expr')) throw node.refusal('FOR SYSTEM_TIME AS OF');
  const table = node.message('table');
  const source = relation(emitter.context.tableSql(String(table.full_name || table.name)));
  const columns = node.columns('column_list');
  if (columns.length === 0) return project(source, noColumns);
  return project(
    source,
    new Map(columns.map((column) => [columnName(column), quoteIdentifier(column.name)])),
  );
};
