import { type AnyNode, asMessage } from '../../../../sql/resolved/node.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';

/** Calls that can't fail. */
const total = new Set([
  '$and',
  '$between',
  '$case_no_value',
  '$case_with_value',
  '$equal',
  '$greater',
  '$greater_or_equal',
  '$in',
  '$is_distinct_from',
  '$is_false',
  '$is_not_distinct_from',
  '$is_null',
  '$is_true',
  '$less',
  '$less_or_equal',
  '$not',
  '$not_equal',
  '$or',
  'array_length',
  'coalesce',
  'ends_with',
  'if',
  'ifnull',
  'is_nan',
  'length',
  'lower',
  'max',
  'min',
  'nullif',
  'safe_add',
  'safe_divide',
  'safe_multiply',
  'safe_negate',
  'safe_subtract',
  'starts_with',
  'upper',
]);

/** Calls of the analyzer's rewrites whose failure is that of the whole: by the number of subqueries around them. */
const decisive: readonly ReadonlySet<string>[] = [
  new Set(['error', '$array_at_offset', '$array_at_ordinal', '$add']),
  new Set(['sum', 'avg']),
];

/**
 * The expression in a rewritten `SAFE.f(...)`, which the analyzer puts into `IFERROR(..., NULL)`, such that it is NULL
 * instead of failing. This is possible where a part that fails makes the whole NULL: with a lambda that can fail, only
 * elements would be NULL.
 *
 * @param expression as received from the analyzer
 * @throws GatewayError QUERY_FAILED for a lambda that can fail
 */
export function nullOnError(expression: AnyNode): AnyNode {
  return rewritten(expression, 0) as AnyNode;
}

function rewritten(part: unknown, subqueries: number): unknown {
  if (Array.isArray(part)) return part.map((element) => rewritten(element, subqueries));
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
  const message = part as AnyNode;
  if ('function' in message && 'error_mode' in message) return safeCall(message, subqueries);
  const deeper = 'subquery_type' in message ? subqueries + 1 : subqueries;
  if (message.node === 'resolved_cast_node') throw refusal();
  return fields(message, deeper);
}

function fields(message: AnyNode, subqueries: number): AnyNode {
  return Object.fromEntries(
    Object.entries(message).map(([field, value]) => [field, rewritten(value, subqueries)]),
  );
}

function safeCall(message: AnyNode, subqueries: number): AnyNode {
  const name = String(asMessage(message.function, 'function').name).replace(/^.*:/, '');
  const isTotal = total.has(name) || message.error_mode === 'SAFE_ERROR_MODE';
  if (isTotal) return fields(message, subqueries);
  if (decisive[subqueries]?.has(name) !== true) throw refusal();
  return { ...fields(message, subqueries), error_mode: 'SAFE_ERROR_MODE' };
}

function refusal(): Error {
  return unsupported('the prefix SAFE. before a function whose lambda can fail');
}
