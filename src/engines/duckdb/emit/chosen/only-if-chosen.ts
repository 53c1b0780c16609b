import { type AnyNode, asList, asMessage, rewrap, unwrap } from '../../../../sql/resolved/node.ts';
import { filtered } from '../tree/make-nodes.ts';
import { isVolatile } from '../volatile/is-volatile.ts';
import { aggregateCanFail, callCanFail, canFail, canHaveManyRows, castCanFail } from './can-fail.ts';
import { boolColumn, onlyWhen, withColumn } from './conditions.ts';

/** Fields of scans without expressions, or with expressions that must be constant. */
const opaque = new Set([
  ...['node', 'type', 'column', 'column_list', 'output_column_list', 'parameter_list', 'table', 'value'],
  ...['function', 'signature', 'limit', 'offset', 'window_frame'],
]);

/** The condition under which a subquery is chosen. */
interface Chosen {
  /** A reference to the column with the condition. */
  readonly column: AnyNode;
  newColumn(): number;
}

/**
 * A subquery in which nothing fails unless a condition is true: whatever can fail is evaluated only then. The rest stays
 * as it is, so that DuckDB can still join by it.
 *
 * @param subquery `resolved_subquery_expr_node`
 * @param id the column with the condition, of the query around the subquery
 */
export function subqueryIfChosen(subquery: AnyNode, id: number, newColumn: () => number): AnyNode {
  const [around, column] = [boolColumn(id, false), boolColumn(id, true)];
  const scan = asMessage(subquery.subquery, 'subquery');
  const rows = ifChosen(scan, { column, newColumn });
  const message = {
    ...subquery,
    subquery: canHaveManyRows(subquery) ? filtered(rows, column) : rows,
    parameter_list: [...asList(subquery.parameter_list, 'parameter_list'), unwrap(around).message],
    in_expr:
      subquery.in_expr && ifChosen(asMessage(subquery.in_expr, 'in_expr'), { column: around, newColumn }),
  };
  return { node: 'resolved_subquery_expr_node', resolved_subquery_expr_node: message };
}

/** An expression or scan in which nothing that can fail is evaluated unless a condition is true. */
export function ifChosen(node: AnyNode, chosen: Chosen): AnyNode {
  if (!canFail(node)) return node;
  const { kind, message } = unwrap(node);
  const inParts = () => rewrap(node, fields(message, chosen));
  const whole = () => onlyWhen(chosen.column, node);
  switch (kind) {
    case 'resolved_subquery_expr_node':
    case 'resolved_with_expr_node':
      return whole();
    case 'resolved_function_call_node':
      return callCanFail(message) || hasLambda(message) ? whole() : inParts();
    case 'resolved_cast_node':
      return castCanFail(message) ? whole() : inParts();
    case 'resolved_aggregate_function_call_node':
    case 'resolved_analytic_function_call_node':
      return aggregateCanFail(message) ? rewrap(node, overNulls(message, chosen)) : inParts();
    case 'resolved_join_scan_node':
      return rewrap(node, join(message, chosen));
    case 'resolved_recursive_scan_node':
    case 'resolved_sample_scan_node':
      // DuckDB has no columns of an outer query in these.
      return node;
    default:
      return inParts();
  }
}

function fields(message: AnyNode, chosen: Chosen): AnyNode {
  const rewritten = Object.entries(message).map(([field, value]): [string, unknown] => [
    field,
    opaque.has(field) ? value : part(value, chosen),
  ]);
  return Object.fromEntries<unknown>(rewritten);
}

function part(value: unknown, chosen: Chosen): unknown {
  if (Array.isArray(value)) return value.map((element) => part(element, chosen));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const message = value as AnyNode;
  return typeof message.node === 'string' ? ifChosen(message, chosen) : fields(message, chosen);
}

/** DuckDB can't resolve columns of an outer query in a lambda. */
function hasLambda(call: AnyNode): boolean {
  const { generic_argument_list } = asMessage(call.parent, 'parent');
  return asList(generic_argument_list, 'generic_argument_list').length > 0;
}

/** An aggregate that can fail by its values doesn't if all of them are NULL. */
function overNulls(level: AnyNode, chosen: Chosen): AnyNode {
  const [first, ...others] = asList(level.argument_list, 'argument_list') as readonly AnyNode[];
  if (first !== undefined) return { ...level, argument_list: [onlyWhen(chosen.column, first), ...others] };
  return level.parent ? { ...level, parent: overNulls(asMessage(level.parent, 'parent'), chosen) } : level;
}

/**
 * The condition of an outer join reads a column of the side whose rows are kept: DuckDB allows no column of an outer query
 * in it.
 */
function join(message: AnyNode, chosen: Chosen): AnyNode {
  const { join_type, join_expr } = message;
  const kept = join_type === 'LEFT' ? 'left_scan' : join_type === 'RIGHT' ? 'right_scan' : undefined;
  // Its random values can't be computed with columns of the query around it.
  if (join_type === 'FULL') return isVolatile(message) ? message : fields(message, chosen);
  const condition = join_expr ? asMessage(join_expr, 'join_expr') : undefined;
  if (kept === undefined || condition === undefined || !canFail(condition)) return fields(message, chosen);
  const id = chosen.newColumn();
  const rewritten = fields({ ...message, join_expr: undefined }, chosen);
  return {
    ...rewritten,
    [kept]: withColumn(asMessage(rewritten[kept], kept), id, chosen.column),
    join_expr: ifChosen(condition, { ...chosen, column: boolColumn(id, false) }),
  };
}
