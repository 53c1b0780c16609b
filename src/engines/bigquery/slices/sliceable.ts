import { textRange } from '../../../sql/plan/parse-tree.ts';
import { nodesOf } from '../../../sql/plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  fieldsOf,
  isPresent,
  messages,
  unwrap,
} from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import type { Condition } from '../bounds/condition.ts';
import { typeOf } from '../bounds/constant.ts';
import { readsOnce } from '../bounds/reads-once.ts';
import { averagedTypes, exactTypes, mergeableAggregates } from './mergeable.ts';
import { NotSliceable, refuseOthers } from './not-sliceable.ts';
import { type Entries, rowsOf, type SourceRows } from './rowwise.ts';

/** An aggregation of the rows of one source, which can be merged from those of parts of these rows. */
export interface SliceableAggregation {
  /** `resolved_aggregate_scan_node`. */
  readonly scan: AnyNode;
  readonly aggregates: readonly AggregateCall[];
  /** The source, seen by each of its columns that may have the time of its rows. */
  readonly sources: readonly TimedSource[];
}

interface AggregateCall {
  /** Where it begins in the text, in UTF-8 bytes. */
  readonly start: number;
  /** In lower case. */
  readonly name: string;
}

/** A source whose rows can be parted by a time. */
export interface TimedSource {
  /** Where its name begins in the text, in UTF-8 bytes. */
  readonly start: number;
  readonly table: string;
  /** The column with the time. */
  readonly column: string;
  /** Conditions that only the time, parameters and the clock decide. */
  readonly conditions: readonly Condition[];
  /** The parameters, in lower case, on which all other things of its rows depend. */
  readonly parameters: readonly string[];
}

/** Finds an aggregation that can be merged. Undefined if there is none, or the statement reads other tables, too. */
export function sliceableAggregation(statement: AnyNode): SliceableAggregation | undefined {
  if (!readsOnce(statement)) return undefined;
  const { message } = unwrap(statement);
  const found: { readonly scan: AnyNode; readonly entries: Entries }[] = [];
  search(asMessage(message.query, 'query'), new Map(), found);
  for (const { scan, entries } of found) {
    try {
      return aggregation(scan, entries);
    } catch (error) {
      if (!(error instanceof NotSliceable)) throw error;
    }
  }
  return undefined;
}

/** The fields with the scans that a scan reads. */
const inputs = ['input_scan', 'left_scan', 'right_scan', 'query', 'scan'];

/** Looks for aggregations below a scan that are evaluated once. */
function search(
  node: AnyNode,
  entries: Entries,
  found: { readonly scan: AnyNode; readonly entries: Entries }[],
): void {
  const { kind, message } = unwrap(node);
  const fields = fieldsOf(message);
  if (kind === 'resolved_aggregate_scan_node') found.push({ scan: message, entries });
  if (fields.is_lateral === true || fields.recursive === true) return;
  let known = entries;
  if (kind === 'resolved_with_scan_node') {
    const own = new Map(entries);
    for (const entry of messages(message, 'with_entry_list'))
      own.set(String(entry.with_query_name), asMessage(entry.with_subquery, 'with_subquery'));
    known = own;
  }
  if (kind === 'resolved_with_ref_scan_node') {
    const entry = entries.get(String(message.with_query_name));
    if (entry !== undefined) search(entry, entries, found);
  }
  for (const field of inputs)
    if (isPresent(fields[field])) search(asMessage(fields[field], field), known, found);
  for (const item of messages(fields, 'input_item_list')) search(asMessage(item.scan, 'scan'), known, found);
}

/** @throws NotSliceable */
function aggregation(scan: AnyNode, entries: Entries): SliceableAggregation {
  const fields = fieldsOf(scan);
  for (const field of ['grouping_set_list', 'grouping_call_list', 'rollup_column_list', 'collation_list'])
    if (isPopulated(fields[field])) throw new NotSliceable(field);
  const keys = messages(fields, 'group_by_list');
  for (const { column } of keys) if (!isExact(asMessage(column, 'column'))) throw new NotSliceable('a key');
  const aggregates = messages(fields, 'aggregate_list').map(({ expr }) =>
    aggregateCall(asMessage(expr, 'expr')),
  );
  if (aggregates.length === 0) throw new NotSliceable('no aggregate');
  const rows = rowsOf(asMessage(fields.input_scan, 'input_scan'), entries);
  const own = [...keys, ...messages(fields, 'aggregate_list')].map(({ expr }) => expr);
  refuseOthers(own);
  return { scan, aggregates, sources: timesOf(rows, own) };
}

function isExact({ type, annotation_map }: AnyNode): boolean {
  const kind = String(asMessage(type, 'type').type_kind).replace(/^TYPE_/, '');
  return exactTypes.has(kind as never) && !isPopulated(annotation_map);
}

const modifiers = [
  'distinct',
  'having_modifier',
  'order_by_item_list',
  'limit',
  'collation_list',
  'where_expr',
  'group_by_list',
  'group_by_aggregate_list',
  'with_group_rows_subquery',
  'generic_argument_list',
];

function aggregateCall(expression: AnyNode): AggregateCall {
  const { kind, message } = unwrap(expression);
  if (kind !== 'resolved_aggregate_function_call_node') throw new NotSliceable('an aggregate');
  const fields = fieldsOf(message);
  const name = String(asMessage(fields.function, 'function').name);
  const [, short] = /^zetasql:(.+)$/.exec(name.toLowerCase()) ?? [];
  const range = textRange(message);
  if (short === undefined || range === undefined) throw new NotSliceable(name);
  if (modifiers.some((field) => isPopulated(fields[field]))) throw new NotSliceable('a modifier');
  if ((fields.error_mode ?? 'DEFAULT_ERROR_MODE') !== 'DEFAULT_ERROR_MODE') throw new NotSliceable('SAFE');
  if ((fields.null_handling_modifier ?? 'DEFAULT_NULL_HANDLING') !== 'DEFAULT_NULL_HANDLING')
    throw new NotSliceable('a modifier');
  const [argument, other] = messages(fields, 'argument_list');
  const types = short === 'avg' ? averagedTypes : mergeableAggregates.get(short)?.types;
  if (other !== undefined || (short !== 'avg' && !mergeableAggregates.has(short)))
    throw new NotSliceable(name);
  if (types !== undefined && (argument === undefined || !types.has(typeOf(argument).kind)))
    throw new NotSliceable(name);
  return { start: range.start, name: short };
}

function timesOf(rows: SourceRows, own: readonly unknown[]): TimedSource[] {
  const { start, table, expressions } = rows;
  return rows.times.flatMap(({ column, conditions, others }) => {
    const kept = [...own, ...expressions, ...others];
    try {
      refuseOthers(kept);
    } catch (error) {
      if (error instanceof NotSliceable) return [];
      throw error;
    }
    const parameters = nodesOf('resolved_parameter_node', kept).map(({ name }) => String(name).toLowerCase());
    return conditions.length === 0
      ? []
      : [{ start, table, column, conditions, parameters: [...new Set(parameters)].sort() }];
  });
}
