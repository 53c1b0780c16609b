import {
  type AnyNode,
  asList,
  asMessage,
  fieldsOf,
  messages,
  unwrap,
  withField,
} from '../../resolved/node.ts';
import { isPopulated } from '../../resolved/populated.ts';
import { conjunctsOf, plainCall, withCall, withoutFields } from './calls.ts';
import type { ColumnKeys } from './column-keys.ts';
import { compareTexts, normalCall } from './normal-call.ts';

/** Scans whose list of columns repeats what is in them. */
const summarised: ReadonlySet<string> = new Set([
  'resolved_filter_scan_node',
  'resolved_project_scan_node',
  'resolved_aggregate_scan_node',
  'resolved_order_by_scan_node',
  'resolved_limit_offset_scan_node',
  'resolved_join_scan_node',
  'resolved_analytic_scan_node',
  'resolved_array_scan_node',
  'resolved_with_scan_node',
  'resolved_single_row_scan_node',
]);

/**
 * One form for scans that are equal: without lists of columns that nothing depends on, without projections that compute nothing,
 * one filter in place of several over each other, tables' columns, grouping keys and aggregates in one order.
 */
export function normalScan(scan: AnyNode, keys: ColumnKeys | undefined): AnyNode {
  const { kind, message } = unwrap(scan);
  const plain = summarised.has(kind) ? withoutFields(message, ['column_list', 'is_ordered']) : message;
  const fields = fieldsOf(plain);
  const wrapped = { ...scan, [kind]: plain };
  const isHinted = isPopulated(fields.hint_list);
  switch (kind) {
    case 'resolved_project_scan_node':
      return asList(fields.expr_list, 'expr_list').length === 0 && !isHinted
        ? asMessage(fields.input_scan, 'input_scan')
        : wrapped;
    case 'resolved_filter_scan_node':
      return isHinted ? wrapped : oneFilter(wrapped, keys);
    case 'resolved_aggregate_scan_node':
      return { ...scan, [kind]: inKeyOrder(plain, keys) };
    case 'resolved_table_scan_node':
      return { ...scan, [kind]: byColumnName(withoutFields(plain, ['alias'])) };
    default:
      return wrapped;
  }
}

function oneFilter(filter: AnyNode, keys: ColumnKeys | undefined): AnyNode {
  const { kind, message } = unwrap(filter);
  const outer = fieldsOf(message);
  const below = unwrap(asMessage(outer.input_scan, 'input_scan'));
  if (below.kind !== kind) return filter;
  const inner = fieldsOf(below.message);
  if (isPopulated(inner.hint_list)) return filter;
  const condition = both(
    asMessage(outer.filter_expr, 'filter_expr'),
    asMessage(inner.filter_expr, 'filter_expr'),
    keys,
  );
  if (condition === undefined) return filter;
  return { ...filter, [kind]: withField(below.message, 'filter_expr', condition) };
}

/** Two conditions joined by AND. Undefined if neither is a call, of which AND could be made. */
export function both(one: AnyNode, other: AnyNode, keys: ColumnKeys | undefined): AnyNode | undefined {
  const call = [one, other].find((each) => plainCall(each) !== undefined);
  return call && normalCall(withCall(call, '$and', [...conjunctsOf(one), ...conjunctsOf(other)]), keys);
}

/** Their order makes no difference, unless grouping sets name them. */
function inKeyOrder(aggregation: AnyNode, keys: ColumnKeys | undefined): AnyNode {
  const fields = fieldsOf(aggregation);
  const hasSets = ['grouping_set_list', 'rollup_column_list', 'grouping_call_list'].some((field) =>
    isPopulated(fields[field]),
  );
  if (hasSets || keys === undefined) return aggregation;
  const sortedBy = (field: string) =>
    messages(fields, field).toSorted((a, b) => compareTexts(keys.of(a.expr), keys.of(b.expr)));
  return withField(
    withField(aggregation, 'group_by_list', sortedBy('group_by_list')),
    'aggregate_list',
    sortedBy('aggregate_list'),
  );
}

/** Columns by their names: other columns of the table make no difference to their places. */
function byColumnName(table: AnyNode): AnyNode {
  const columns = messages(fieldsOf(table), 'column_list').toSorted((a, b) =>
    compareTexts(String(a.name), String(b.name)),
  );
  return withField(
    withField(table, 'column_list', columns),
    'column_index_list',
    columns.map(({ name }) => name),
  );
}
