import { constantKind } from '../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import { columnName } from './column-name.ts';
import type { Emitter } from './emitter.ts';
import { functionName } from './function-name.ts';
import type { TimeColumns } from './relation.ts';

/** The comparisons that bound a time, with what they are when their sides are exchanged. */
const comparisons: Readonly<Record<string, readonly [operator: string, exchanged: string]>> = {
  $equal: ['=', '='],
  $less: ['<', '>'],
  $less_or_equal: ['<=', '>='],
  $greater: ['>', '<'],
  $greater_or_equal: ['>=', '<='],
};

/**
 * The bounds that a condition sets to times by constants, on the copies of the time columns: by them DuckDB leaves out parts of a
 * table without looking at any other column. They are implied by the condition, and don't replace it.
 */
export function timeBounds(condition: ResolvedNode, times: TimeColumns, emitter: Emitter): string[] {
  if (times.size === 0 || condition.kind !== 'resolved_function_call_node') return [];
  const { key } = functionName(condition);
  const args = condition.list('argument_list');
  if (key === '$and') return args.flatMap((operand) => timeBounds(operand, times, emitter));
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

/** Undefined for what is no time, and where the column is as open as a copy would be. */
function copyOf(node: ResolvedNode, times: TimeColumns): string | undefined {
  if (node.kind !== 'resolved_column_ref_node') return undefined;
  const name = columnName(node.column('column'));
  const copy = times.get(name);
  return copy === name ? undefined : copy;
}

/** What is a constant by now: others were folded. */
const constantKinds: ReadonlySet<string> = new Set([
  'resolved_literal_node',
  'resolved_parameter_node',
  constantKind,
]);

/** Undefined for what is no constant, and for NULL. */
function constantSql(node: ResolvedNode, emitter: Emitter): string | undefined {
  if (!constantKinds.has(node.kind)) return undefined;
  const { constant, sql } = emitter.expression(node);
  return constant === undefined || constant === null ? undefined : sql;
}
