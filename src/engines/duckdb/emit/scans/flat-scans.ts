import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { placed, plain, type Sql } from '../../dialect/calls.ts';
import { recordType } from '../../store/tables/flat-layout.ts';
import { guarded, includedRows } from '../emitter/border.ts';
import type { InlineCte } from '../emitter/cte-scope.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import {
  elementOf,
  type FlatRecord,
  presenceOf,
  presencesAround,
  recordOfTable,
} from '../emitter/flat-record.ts';
import { NotFlat } from '../emitter/form.ts';
import {
  continued,
  fromItem,
  type LateValue,
  named,
  plainColumns,
  type Relation,
  relation,
  withColumns,
} from '../emitter/relation.ts';
import { extend, filter } from '../emitter/steps.ts';
import { lateValues } from '../flat/late-values.ts';
import { recordAt } from '../flat/record-at.ts';
import { columnName } from '../pieces/column-name.ts';
import { storedColumn } from '../pieces/stored-column.ts';
import { tableName } from '../pieces/table-name.ts';
import { columnUses } from '../tree/column-uses.ts';
import { keepsColumnsField } from '../tree/make-nodes.ts';
import { arrayScan, unnestBeside } from './array.ts';
import { isTime, keyOfTable, visible } from './table.ts';

/**
 * Emits scans in flat form. A relation keeps all columns of the table, of which DuckDB reads only the used ones.
 * Columns of records have a dot in their names, which distinguishes them from computed ones.
 */
export const flatScans: ReadonlyMap<string, ScanEmitter> = new Map<string, ScanEmitter>([
  ['resolved_table_scan_node', tableScan],
  ['resolved_project_scan_node', projectScan],
  ['resolved_array_scan_node', unnestScan],
  ['resolved_with_ref_scan_node', withRefScan],
]);

/** The column with the key of the flat table's row, for late columns. */
const rowKey = 'flat_row';

function tableScan(node: ResolvedNode, emitter: Emitter): Relation {
  if (node.has('for_system_time_expr')) throw node.refusal('FOR SYSTEM_TIME AS OF');
  const table = emitter.context.flatTableSql?.(tableName(node));
  if (table === undefined) throw new TypeError('A table without a flat form');
  emitter.form.table = tableName(node);
  const columns = node.columns('column_list');
  const late = columns.filter(({ id }) => emitter.late.has(id));
  const read = columns.filter(({ id }) => !emitter.late.has(id));
  const records = read.filter(({ type }) => recordType(type) !== undefined);
  const leaves = read.filter(({ type }) => recordType(type) === undefined);
  const key = keyOfTable(node, emitter);
  const { mark, use } = emitter.leaves.scan();
  for (const column of records)
    emitter.form.define(columnName(column), recordOfTable(column.name, column.type, use));
  const select = new Map(leaves.map((column) => [columnName(column), storedColumn(column.name, key)]));
  if (late.length > 0) select.set(rowKey, 'rowid');
  const times = leaves.filter(isTime(key)).map((column) => [columnName(column), columnName(column)] as const);
  const rows: Relation = {
    ...relation(table),
    select: plainColumns(select),
    others: mark,
    times: new Map(times),
    late:
      late.length === 0
        ? undefined
        : { tables: [{ table, key: rowKey, columns: lateValues(late, 'flat', key, emitter) }] },
  };
  return visible(rows, emitter);
}

function projectScan(node: ResolvedNode, emitter: Emitter): Relation {
  // A relation in flat form keeps all columns.
  node.skip(keepsColumnsField);
  const source = emitter.scan(node.child('input_scan'));
  const computed = new Map<string, Sql>();
  for (const item of node.list('expr_list')) {
    const name = columnName(item.column('column'));
    const expression = item.child('expr');
    const record = recordAt(expression, emitter);
    if (record === undefined) computed.set(name, emitter.expression(expression));
    else emitter.form.define(name, record);
  }
  return computed.size === 0 ? source : extend(source, computed);
}

/** An array of at most one element keeps or drops the row. */
function unnestScan(node: ResolvedNode, emitter: Emitter): Relation {
  if (comparesOffset(node)) return arrayScan(node, emitter);
  const source = emitter.scan(node.child('input_scan'));
  const record = recordAt(node.child('array_expr'), emitter);
  if (record === undefined) return unnestBeside(source, node, emitter);
  const isOuter = node.flag('is_outer');
  const isPresent = presenceOf(record);
  const element = columnName(node.column('element_column'));
  emitter.form.define(element, elementOf(record));
  const condition = node.optionalChild('join_expr');
  if (node.has('volatile_list')) throw new NotFlat(emitter.form);
  const conditions = condition === undefined ? [] : [emitter.expression(condition)];
  // A condition is only evaluated for existing elements, as it may fail otherwise.
  const isJoined = conditions.reduce(
    (before, { sql, calls }) => ({ sql: `CASE WHEN ${before.sql} THEN ${sql} END`, calls }),
    plain(isPresent),
  );
  if (isOuter && condition) emitter.form.define(element, where(isJoined, elementOf(record)));
  const rows = isOuter
    ? source
    : [plain(isPresent), ...conditions].reduce<Relation>(filter, withoutImplied(source, record));
  const offset = node.optionalChild('array_offset_column');
  if (offset === undefined) return rows;
  const zero = isOuter ? `CASE WHEN ${isJoined.sql} THEN CAST(0 AS BIGINT) END` : 'CAST(0 AS BIGINT)';
  return extend(rows, new Map([[columnName(offset.column('column')), { ...isJoined, sql: zero }]]));
}

/**
 * The relation without conditions that follow from the record's presence: the presence of the records that contain it.
 */
function withoutImplied(source: Relation, record: FlatRecord): Relation {
  const implied = new Set(presencesAround(record));
  return { ...source, where: source.where.filter(({ sql }) => !implied.has(sql)) };
}

/** Whether the condition of an `UNNEST` uses its own offset, for which there is no column yet. */
function comparesOffset(node: ResolvedNode): boolean {
  const condition = node.optionalChild('join_expr');
  const offset = node.optionalChild('array_offset_column');
  if (condition === undefined || offset === undefined) return false;
  return columnUses(condition.arrived).whole.has(offset.column('column').id);
}

/** The record, present only if a condition holds. */
function where(condition: Sql, record: FlatRecord): FlatRecord {
  const column = (name: string) => `CASE WHEN ${placed(condition)} THEN ${record.column(name)} END`;
  return { ...record, column, whole: undefined };
}

/**
 * The record on the caller's side of the border.
 *
 * @param guard returns the SQL of a column of the record there
 */
function behind(record: FlatRecord, guard: (column: string) => string): FlatRecord {
  const column = (name: string) => guard(record.column(name));
  return { ...record, column, whole: { column: record.column, around: guarded } };
}

function withRefScan(node: ResolvedNode, emitter: Emitter): Relation {
  const entry = emitter.ctes.find(node.text('with_query_name')) as InlineCte;
  const isBorder = emitter.ctes.crossesBorder(entry);
  const source = emitter.ctes.inText(entry, () => emitter.scan(entry.subquery));
  const outer = node.columns('column_list').map(columnName);
  const inner = entry.subquery.columns('column_list').map(columnName);
  const guard = isBorder ? guarded : (sql: string) => sql;
  // DuckDB joins by these columns, but not by expressions of the border.
  const isJoined = isBorder && emitter.isCorrelated;
  const { mark, use } = isJoined ? emitter.leaves.computed(guarded) : { mark: '', use: guarded };
  const items = new Map<string, Sql>();
  const times = new Map<string, string>();
  const late = new Map<string, LateValue>();
  for (const [i, name] of outer.entries()) {
    const column = inner[i] ?? '';
    const record = emitter.form.find(column);
    const lateValue = source.late?.tables[0]?.columns.get(column);
    if (lateValue !== undefined) late.set(name, lateValue);
    else if (record !== undefined) emitter.form.define(name, isBorder ? behind(record, use) : record);
    else {
      items.set(name, plain(guard(column)));
      const copy = source.times.get(column);
      if (copy === undefined) continue;
      times.set(name, isBorder ? `${name}_time` : name);
      if (isBorder) items.set(`${name}_time`, plain(copy));
    }
  }
  const order = source.order.map((key) => {
    if (!isBorder || source.times.has(key.column)) return key;
    items.set(`${key.column}_key`, plain(guarded(key.column)));
    return { ...key, column: `${key.column}_key` };
  });
  const tables = source.late?.tables.map((table) => ({ ...table, columns: late }));
  const included = isBorder ? includedRows(source) : source;
  const rows = isJoined
    ? continued(
        included,
        withColumns(
          fromItem(included),
          [...items].map(([name, sql]) => named(sql, name)),
          mark,
        ),
      )
    : extend(included, items);
  return { ...rows, order, times, late: tables && { tables } };
}
