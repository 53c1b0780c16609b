import type { ResolvedColumn } from '../../../../sql/resolved/column.ts';
import { quoteIdentifier } from '../../duck-type.ts';
import { valueOfLists } from '../../store/list-layout.ts';
import { columnName } from '../column-name.ts';
import type { ScanEmitter } from '../emitter.ts';
import { lateAlias, project, relation } from '../relation.ts';
import { noColumns } from '../select-columns.ts';
import { tableName } from '../table-name.ts';

/** The column that tells which row of the table is to be read later. */
const rowKey = 'list_row';

/** Tables are in the order of this column, and DuckDB knows its bounds in each part of a table. */
export function isTime({ name, type }: ResolvedColumn): boolean {
  return name.toLowerCase() === 'timestamp' && type.kind === 'TIMESTAMP';
}

export const tableScan: ScanEmitter = (node, emitter) => {
  if (node.has('for_system_time_expr')) throw node.refusal('FOR SYSTEM_TIME AS OF');
  const source = relation(emitter.context.tableSql(tableName(node)));
  const columns = node.columns('column_list');
  if (columns.length === 0) return project(source, noColumns);
  const times = columns.filter(isTime).map((column) => [columnName(column), columnName(column)] as const);
  const value = (column: ResolvedColumn, prefix: string) => {
    const sql = (name: string) => `${prefix}${quoteIdentifier(name)}`;
    if (emitter.form.kind !== 'lists') return sql(column.name);
    return valueOfLists(column.name, column.type, sql, emitter.usedFields(column));
  };
  const named = (some: readonly ResolvedColumn[], prefix = '') =>
    new Map(some.map((column) => [columnName(column), value(column, prefix)]));
  const read = named(columns.filter(({ id }) => !emitter.late.has(id)));
  const late = named(
    columns.filter(({ id }) => emitter.late.has(id)),
    `${lateAlias}.`,
  );
  if (late.size === 0) return { ...project(source, read), times: new Map(times) };
  return {
    ...project(source, read.set(rowKey, 'rowid')),
    times: new Map(times.filter(([name]) => read.has(name))),
    late: { tables: [{ table: source.from, key: rowKey, columns: late }] },
  };
};
