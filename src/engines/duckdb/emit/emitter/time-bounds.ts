import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { constantKind } from '../../dialect/constant.ts';
import { columnName } from '../pieces/column-name.ts';
import { functionName } from '../pieces/function-name.ts';
import type { Emitter } from './emitter.ts';
import type { TimeColumns } from './relation.ts';

/** Comparisons that bound a time, with their mirrored forms. */
const comparisons: Readonly<Record<string, readonly [operator: string, exchanged: string]>> = {
  $equal: ['=', '='],
  $less: ['<', '>'],
  $less_or_equal: ['<=', '>='],
  $greater: ['>', '<'],
  $greater_or_equal: ['>=', '<='],
};

/**
 * The constant time bounds in a condition, applied to the copies of the time columns: with them, DuckDB skips row
 * groups without reading any other column. The condition implies them and is kept.
 */
export function timeBounds(condition: ResolvedNode, times: TimeColumns, emitter: Emitter): string[] {
  if (times.size === 0 || condition.kind !== 'resolved_function_call_node') return [];
  const { key } = functionName(condition);
  const args = condition.list('argument_list');
  if (key === '$and') return args.flatMap((operand) => timeBounds(operand, times, emitter));
  if (key === '$or') return boundsOrNull(args, times, emitter);
  const [first, second, third] = args;
  if (first === undefined || second === undefined) return [];
  const bound = (time: ResolvedNode, operator: string, constant: ResolvedNode): string[] => {
    const copy = copyOf(time, times);
    const sql = copy && constantSql(constant, emitter);
    return sql === undefined ? [] : [`${copy} ${operator} ${sql}`];
  };
  if (key === '$between' && third !== undefined) {
    return [...bound(first, '>=', second), ...bound(first, '<=', third)];
  }
  const comparison = comparisons[key];
  if (comparison === undefined) return [];
  const [operator, exchanged] = comparison;
  return [...bound(first, operator, second), ...bound(second, exchanged, first)];
}

/** The bounds of `time <= constant OR time IS NULL`, as of the rows after a time in an order with NULLs last. */
function boundsOrNull(args: readonly ResolvedNode[], times: TimeColumns, emitter: Emitter): string[] {
  const [compared, tested, ...others] = args;
  if (compared === undefined || tested?.kind !== 'resolved_function_call_node' || others.length > 0)
    return [];
  const [time] = functionName(tested).key === '$is_null' ? tested.list('argument_list') : [];
  const copy = time && copyOf(time, times);
  const [bound] = timeBounds(compared, times, emitter);
  return copy !== undefined && bound?.startsWith(`${copy} `) ? [`(${bound} OR ${copy} IS NULL)`] : [];
}

/** Undefined if it is not a time, or if the column is as visible as its copy. */
function copyOf(node: ResolvedNode, times: TimeColumns): string | undefined {
  if (node.kind !== 'resolved_column_ref_node') return undefined;
  const name = columnName(node.column('column'));
  const copy = times.get(name);
  return copy === name ? undefined : copy;
}

/** A constant. Folding has already replaced the others. */
const constantKinds: ReadonlySet<string> = new Set([
  'resolved_literal_node',
  'resolved_parameter_node',
  constantKind,
]);

/** Undefined if it is not a constant, and for NULL. */
function constantSql(node: ResolvedNode, emitter: Emitter): string | undefined {
  if (!constantKinds.has(node.kind)) return undefined;
  const { constant, sql } = emitter.expression(node);
  return constant === undefined || constant.isNull ? undefined : sql;
}
