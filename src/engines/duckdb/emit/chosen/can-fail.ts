import { memoized } from '../../../../base/async/memoized.ts';
import { calledFunction, resolvedLeaves, visitFields } from '../../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, messages, unwrap } from '../../../../sql/resolved/node.ts';
import { literalValue, typeOf } from '../../fold/expression.ts';
import { convert } from '../../functions/conversions/conversions.ts';
import { scalarFunctions } from '../../functions/scalar-functions.ts';

/** Aggregate and window functions that can't fail for any values. Their other arguments are constants. */
const totalAggregates = new Set(
  `$count_star count countif min max any_value logical_and logical_or bit_and bit_or bit_xor string_agg array_agg
  approx_count_distinct max_by min_by row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value lag lead`.split(
    /\s+/,
  ),
);

/** Whether evaluating a part of the resolved tree can fail. Entries of WITH clauses that it refers to don't count. */
export const canFail: (part: AnyNode) => boolean = memoized((part) => {
  let fails = false;
  visitFields(part, resolvedLeaves, (field, value) => {
    fails ||= failsItself(field, value);
  });
  return fails;
});

/** Whether a node itself can fail, not the nodes below it. */
function failsItself(kind: string, value: unknown): boolean {
  switch (kind) {
    case 'resolved_function_call_node':
      return callCanFail(asMessage(value, kind));
    case 'resolved_aggregate_function_call_node':
    case 'resolved_analytic_function_call_node':
      return aggregateCanFail(asMessage(value, kind));
    case 'resolved_cast_node':
      return castCanFail(asMessage(value, kind));
    case 'resolved_subquery_expr_node':
      return canHaveManyRows(asMessage(value, kind));
    default:
      return false;
  }
}

/** @param call `resolved_function_call_node` */
export function callCanFail(call: AnyNode): boolean {
  const name = calledFunction(call);
  if (isSafe(call)) return false;
  const isTotal = Object.hasOwn(scalarFunctions, name) ? scalarFunctions[name]?.isTotal : false;
  if (typeof isTotal !== 'function') return isTotal !== true;
  const [, ...others] = messages(asMessage(call.parent, 'parent'), 'argument_list');
  const values = others.map(literalValue).filter((value) => value !== undefined);
  return values.length < others.length || !isTotal(values);
}

/** @param call `resolved_aggregate_function_call_node`, or that of an analytic function */
export function aggregateCanFail(call: AnyNode): boolean {
  let level = call;
  while (level.function === undefined) level = asMessage(level.parent, 'function');
  const name = String(asMessage(level.function, 'function').name).replace(/^.*:/, '').toLowerCase();
  return level.error_mode !== 'SAFE_ERROR_MODE' && !totalAggregates.has(name);
}

function isSafe(call: AnyNode): boolean {
  return asMessage(call.parent, 'parent').error_mode === 'SAFE_ERROR_MODE';
}

/** @param cast `resolved_cast_node` */
export function castCanFail(cast: AnyNode): boolean {
  if (cast.return_null_on_error === true) return false;
  if (cast.format !== undefined && cast.format !== null) return true;
  if (cast.type_modifiers !== undefined && cast.type_modifiers !== null) return true;
  const [from, to] = [typeOf(asMessage(cast.expr, 'expr')), typeOf(cast)];
  const conversion = (safe: boolean) =>
    convert(from, to, { value: 'x', constant: undefined, safe, zone: undefined });
  return conversion(false) !== conversion(true);
}

/** Whether a subquery can have more rows than the one that its place allows. */
export function canHaveManyRows({ subquery_type, subquery }: AnyNode): boolean {
  const isScalar = subquery_type === undefined || subquery_type === null || subquery_type === 'SCALAR';
  return isScalar && !hasOneRow(asMessage(subquery, 'subquery'));
}

function hasOneRow(scan: AnyNode): boolean {
  const { kind, message } = unwrap(scan);
  switch (kind) {
    case 'resolved_single_row_scan_node':
      return true;
    case 'resolved_limit_offset_scan_node':
      return (
        literalValue(asMessage(message.limit, 'limit')) === 1n ||
        hasOneRow(asMessage(message.input_scan, 'input_scan'))
      );
    case 'resolved_aggregate_scan_node': {
      const { group_by_list, input_scan } = asMessage(message.parent, 'parent');
      return asList(group_by_list, 'group_by_list').length === 0 && input_scan !== undefined;
    }
    case 'resolved_project_scan_node':
    case 'resolved_filter_scan_node':
    case 'resolved_order_by_scan_node':
      return hasOneRow(asMessage(message.input_scan, 'input_scan'));
    default:
      return false;
  }
}
