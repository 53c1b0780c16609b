import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { type KeySql, usualKey } from '../../store/tables/key-sql.ts';
import { valueOfLists } from '../../store/tables/list-layout.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import { lateAlias, nested, plainColumns, type Relation, relation } from '../emitter/relation.ts';
import { project } from '../emitter/steps.ts';
import { lateValues } from '../flat/late-values.ts';
import { columnName } from '../pieces/column-name.ts';
import { storedColumn } from '../pieces/stored-column.ts';
import { tableName } from '../pieces/table-name.ts';

/** The column with the key of the table's row, for late columns. */
const rowKey = 'list_row';

/** Whether a column of a table is the one by which it is ordered: DuckDB knows its range in each row group. */
export function isTime({ timeName }: KeySql): (column: ResolvedColumn) => boolean {
  return ({ name, type }) => type.kind === 'TIMESTAMP' && name.toLowerCase() === timeName?.toLowerCase();
}

/** The key of the rows of a scanned table. */
export function keyOfTable(node: ResolvedNode, { context }: Emitter): KeySql {
  return context.keyOf?.(tableName(node)) ?? usualKey;
}

export const tableScan: ScanEmitter = (node, emitter) => {
  if (node.has('for_system_time_expr')) throw node.refusal('FOR SYSTEM_TIME AS OF');
  const source = relation(emitter.context.tableSql(tableName(node)));
  const columns = node.columns('column_list');
  const key = keyOfTable(node, emitter);
  const times = columns
    .filter(isTime(key))
    .map((column) => [columnName(column), columnName(column)] as const);
  const isInLists = emitter.form.kind === 'lists';
  const readValue = (column: ResolvedColumn) =>
    isInLists
      ? valueOfLists(column.name, column.type, (name) => storedColumn(name, key), emitter.usedFields(column))
      : storedColumn(column.name, key);
  const isLate = ({ id }: ResolvedColumn) => emitter.late.has(id);
  const early = columns.filter((column) => !isLate(column));
  const read = new Map(early.map((column) => [columnName(column), readValue(column)]));
  const late = isInLists
    ? lateValues(columns.filter(isLate), 'lists', key, emitter)
    : new Map(
        columns
          .filter(isLate)
          .map((column) => [columnName(column), storedColumn(column.name, key, lateAlias)]),
      );
  if (late.size === 0)
    return visible({ ...project(source, plainColumns(read)), times: new Map(times) }, emitter);
  return {
    ...project(source, plainColumns(read.set(rowKey, 'rowid'))),
    times: new Map(times.filter(([name]) => read.has(name))),
    late: { tables: [{ table: source.from, key: rowKey, columns: late }] },
  };
};

/** A table's rows, without its other columns in a subquery: these could have the names of an outer query's columns. */
export function visible(rows: Relation, emitter: Emitter): Relation {
  return emitter.isCorrelated ? nested(rows) : rows;
}
