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
import type { SqlType } from '../../../sql/values/type.ts';
import { exactTypes } from '../../engine/exact-types.ts';
import { ofAggregates } from '../../engine/scan-construct.ts';
import type { Condition } from '../bounds/condition.ts';
import { typeOf } from '../bounds/constant.ts';
import { readsOnce } from '../bounds/reads-once.ts';
import { averagedTypes, mergeableAggregates } from './mergeable.ts';
import { NotSliceable, refuseOthers } from './not-sliceable.ts';
import { type Entries, rowsOf, type SourceRows, withoutBounds } from './rowwise.ts';

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

/**
 * Finds an aggregation that can be merged. Undefined if the statement has no aggregation.
 *
 * @throws NotSliceable if all aggregations have something else, or the statement reads other rows, too
 */
export function sliceableAggregation(statement: AnyNode): SliceableAggregation | undefined {
  const { message } = unwrap(statement);
  const found: { readonly scan: AnyNode; readonly entries: Entries }[] = [];
  search(asMessage(message.query, 'query'), new Map(), found);
  if (found.length === 0) return undefined;
  if (!readsOnce(statement))
    throw new NotSliceable('a query that reads several tables, or one in several places');
  const refusals: NotSliceable[] = [];
  for (const { scan, entries } of found) {
    try {
      return aggregation(scan, entries);
    } catch (error) {
      if (!(error instanceof NotSliceable)) throw error;
      refusals.push(error);
    }
  }
  throw refusals.find(({ message: construct }) => construct !== ofAggregates) ?? refusals[0];
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
  for (const field of ['grouping_set_list', 'grouping_call_list', 'rollup_column_list'])
    if (isPopulated(fields[field])) throw new NotSliceable('grouping sets', scan);
  if (isPopulated(fields.collation_list)) throw new NotSliceable('groups of texts with a collation', scan);
  const keys = messages(fields, 'group_by_list');
  for (const { column, expr } of keys) {
    const kind = keyType(asMessage(column, 'column'));
    if (kind !== undefined)
      throw new NotSliceable(`groups of ${kind}`, unwrap(asMessage(expr, 'expr')).message);
  }
  const aggregates = messages(fields, 'aggregate_list').map(({ expr }) =>
    aggregateCall(asMessage(expr, 'expr')),
  );
  if (aggregates.length === 0) throw new NotSliceable('groups without an aggregate', scan);
  const rows = rowsOf(asMessage(fields.input_scan, 'input_scan'), entries);
  const own = [...keys, ...messages(fields, 'aggregate_list')].map(({ expr }) => expr);
  refuseOthers(own);
  return { scan, aggregates, sources: timesOf(rows, own) };
}

/** The type of a column by which rows can't be grouped in slices. */
function keyType({ type, annotation_map }: AnyNode): string | undefined {
  const kind = String(asMessage(type, 'type').type_kind)
    .replace(/^TYPE_/, '')
    .replace(/^DOUBLE$/, 'FLOAT64');
  if (isPopulated(annotation_map)) return 'texts with a collation';
  return exactTypes.has(kind as SqlType['kind']) ? undefined : kind;
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
  if (kind !== 'resolved_aggregate_function_call_node') throw new NotSliceable('an aggregate', message);
  const fields = fieldsOf(message);
  const [group, name = ''] = String(asMessage(fields.function, 'function').name).toLowerCase().split(':');
  const range = textRange(message);
  const [argument, other] = messages(fields, 'argument_list');
  const mergeable = name === 'avg' ? { types: averagedTypes } : mergeableAggregates.get(name);
  const label = name.replace(/^\$count_star$/, 'count').toUpperCase();
  if (group !== 'zetasql' || range === undefined || other !== undefined || mergeable === undefined)
    throw new NotSliceable(label, message);
  const isModified =
    modifiers.some((field) => isPopulated(fields[field])) ||
    (fields.error_mode ?? 'DEFAULT_ERROR_MODE') !== 'DEFAULT_ERROR_MODE' ||
    (fields.null_handling_modifier ?? 'DEFAULT_NULL_HANDLING') !== 'DEFAULT_NULL_HANDLING';
  if (isModified) throw new NotSliceable(`DISTINCT, SAFE, or another modifier of ${label}`, message);
  const type = argument && typeOf(argument).kind;
  if (mergeable.types !== undefined && (type === undefined || !mergeable.types.has(type)))
    throw new NotSliceable(`${label} of ${type}`, message);
  return { start: range.start, name };
}

/** @throws NotSliceable if there are none */
function timesOf(rows: SourceRows, own: readonly unknown[]): TimedSource[] {
  const { start, table, expressions } = rows;
  const bounded = rows.times.filter(({ conditions }) => conditions.length > 0);
  if (bounded.length === 0) {
    for (const { others } of rows.times) refuseOthers(others);
    const construct = rows.fails ? 'something that can fail, up to the bounds of time' : withoutBounds;
    throw new NotSliceable(construct);
  }
  const refusals: NotSliceable[] = [];
  const sources = bounded.flatMap(({ column, conditions, others }) => {
    const kept = [...own, ...expressions, ...others];
    try {
      refuseOthers(kept);
    } catch (error) {
      if (!(error instanceof NotSliceable)) throw error;
      refusals.push(error);
      return [];
    }
    const parameters = nodesOf('resolved_parameter_node', kept).map(({ name }) => String(name).toLowerCase());
    return [{ start, table, column, conditions, parameters: [...new Set(parameters)].sort() }];
  });
  if (sources.length === 0) throw refusals[0] ?? new NotSliceable('a function');
  return sources;
}
