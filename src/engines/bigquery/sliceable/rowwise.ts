import { textRange } from '../../../sql/plan/parse-tree.ts';
import {
  type AnyNode,
  asMessage,
  columnIds,
  fieldsOf,
  idOf,
  isPresent,
  messages,
  unwrap,
} from '../../../sql/resolved/node.ts';
import { scanConstruct } from '../../engine/scan-construct.ts';
import { canFail } from '../bounds/can-fail.ts';
import { type Condition, conditionOf, hasBounds, isOfTime } from '../bounds/condition.ts';
import { callOf } from '../bounds/constant.ts';
import { tableOrigins } from '../bounds/origin.ts';
import { NotSliceable, refuseOthers, refuseReads } from './not-sliceable.ts';

/** Entries of WITH that can be referred to, by name. */
export type Entries = ReadonlyMap<string, AnyNode>;

/** Rows that are made one by one from those of a source. */
export interface SourceRows {
  /** Where the source's name begins in the text, in UTF-8 bytes. */
  readonly start: number;
  readonly table: string;
  /** One for each column of the source that may have their time. */
  readonly times: readonly RowTime[];
  /** What is computed of them, besides conditions. */
  readonly expressions: readonly unknown[];
  /** Whether something was computed that can fail. */
  readonly fails: boolean;
}

/** What is wrong with a query that reads all times. */
export const withoutBounds = 'a window without bounds of time';

interface RowTime {
  /** The source's column. */
  readonly column: string;
  /** The columns of the rows that have it. */
  readonly ids: ReadonlySet<string>;
  /** Conditions that only the time, parameters and the clock decide. */
  readonly conditions: readonly Condition[];
  /** All other conditions. */
  readonly others: readonly AnyNode[];
}

/**
 * Reads a scan as rows that are made, each one, or several or none of them, from one row of a source, and from nothing else.
 *
 * @throws NotSliceable for any other scan
 */
export function rowsOf(node: AnyNode, entries: Entries): SourceRows {
  const { kind, message } = unwrap(node);
  const fields = fieldsOf(message);
  const input = () => {
    if (!isPresent(fields.input_scan)) throw new NotSliceable(scanConstruct(kind), message);
    return rowsOf(asMessage(fields.input_scan, 'input_scan'), entries);
  };
  switch (kind) {
    case 'resolved_table_scan_node':
      return tableRows(message, fields);
    case 'resolved_with_ref_scan_node':
      return entryRows(message, entries);
    case 'resolved_filter_scan_node':
      return filteredRows(input(), asMessage(fields.filter_expr, 'filter_expr'));
    case 'resolved_order_by_scan_node':
      return input();
    case 'resolved_project_scan_node':
    case 'resolved_array_scan_node': {
      const { input_scan: _, parent: __, ...own } = fields;
      refuseOthers(own);
      return computedRows(input(), own);
    }
    default:
      throw new NotSliceable(scanConstruct(kind), message);
  }
}

function tableRows(message: AnyNode, fields: AnyNode): SourceRows {
  const origins = tableOrigins(message, fields);
  const [first] = origins;
  const range = textRange(message);
  if (first === undefined || range === undefined) {
    const { name } = asMessage(fields.table, 'table');
    throw new NotSliceable(String(name).endsWith('*') ? 'a wildcard table' : withoutBounds);
  }
  return {
    start: range.start,
    table: first.source.table,
    times: origins.map(({ source, times }) => ({
      column: source.column,
      ids: times,
      conditions: [],
      others: [],
    })),
    expressions: [],
    fails: false,
  };
}

/** Columns of an entry are passed on by position. */
function entryRows(message: AnyNode, entries: Entries): SourceRows {
  const entry = entries.get(String(message.with_query_name));
  if (entry === undefined) throw new NotSliceable('a recursive query', message);
  const rows = rowsOf(entry, entries);
  const before = columnIds(unwrap(entry).message);
  const after = columnIds(message);
  const times = rows.times.map((time) => ({
    ...time,
    ids: new Set(after.filter((_, position) => time.ids.has(before[position] ?? ''))),
  }));
  return { ...rows, times };
}

function filteredRows(rows: SourceRows, expression: AnyNode): SourceRows {
  // Rows that aren't read must not hide a failure.
  const fails = rows.fails || canFail(expression);
  const parts = conjuncts(expression);
  const times = rows.times.map((time) => {
    const read = parts.map((part) => ({ part, condition: conditionOf(part, (id) => time.ids.has(id)) }));
    const isTaken = ({ condition }: { condition: Condition }) =>
      !fails && hasBounds(condition) && isOfTime(condition);
    return {
      ...time,
      conditions: [...time.conditions, ...read.filter(isTaken).map(({ condition }) => condition)],
      others: [...time.others, ...read.filter((each) => !isTaken(each)).map(({ part }) => part)],
    };
  });
  for (const part of parts) refuseReads(part);
  return { ...rows, times, fails };
}

function conjuncts(expression: AnyNode): readonly AnyNode[] {
  const call = callOf(expression);
  return call?.name === '$and' ? call.arguments.flatMap(conjuncts) : [expression];
}

function computedRows(rows: SourceRows, own: AnyNode): SourceRows {
  const computed = messages(own, 'expr_list');
  const times = rows.times.map((time) => {
    const ids = new Set(time.ids);
    for (const { column, expr } of computed) {
      const { kind, message } = unwrap(asMessage(expr, 'expr'));
      if (kind === 'resolved_column_ref_node' && ids.has(idOf(message.column))) ids.add(idOf(column));
    }
    return { ...time, ids };
  });
  const fails = rows.fails || canFail(own);
  return { ...rows, times, expressions: [...rows.expressions, own], fails };
}
