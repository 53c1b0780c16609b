import { isDeepStrictEqual } from 'node:util';
import { collatedValues } from '../../../../sql/resolved/collation.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { functionCall, typeOf, withArguments } from '../../fold/expression.ts';
import { hasPlainEquality } from '../../functions/comparison/equality.ts';
import { predicate } from '../tree/make-nodes.ts';

/**
 * The condition of a filter or join, with `a IS NOT DISTINCT FROM b` for `a = b OR (a IS NULL AND b IS NULL)`: DuckDB can join by
 * it. It is false where the other is NULL, which makes no difference to a condition.
 */
export function nullSafe(condition: ResolvedNode): ResolvedNode {
  const rewritten = rewrite(condition.wrapped);
  return rewritten === undefined ? condition : condition.replacedBy(rewritten);
}

/** Undefined if nothing in it is rewritten. */
function rewrite(condition: AnyNode): AnyNode | undefined {
  const call = functionCall(condition);
  if (call?.name === '$or') return nullSafeEquality(call.arguments);
  if (call?.name !== '$and') return undefined;
  const operands = call.arguments.map(rewrite);
  if (operands.every((operand) => operand === undefined)) return undefined;
  return withArguments(
    condition,
    call.arguments.map((operand, i) => operands[i] ?? operand),
  );
}

function nullSafeEquality(operands: readonly AnyNode[]): AnyNode | undefined {
  const equality = operands.find((operand) => functionCall(operand)?.name === '$equal');
  const tests = operands.find((operand) => functionCall(operand)?.name === '$and');
  if (operands.length !== 2 || equality === undefined || tests === undefined || !isPlain(equality))
    return undefined;
  const [a, b] = argumentsOf(equality);
  const nulls = argumentsOf(tests).map(functionCall);
  const [first, second] = nulls.map((test) => (test?.name === '$is_null' ? test.arguments[0] : undefined));
  if (nulls.length !== 2 || !a || !b || !first || !second) return undefined;
  const isOfBoth = (isSame(a, first) && isSame(b, second)) || (isSame(a, second) && isSame(b, first));
  return isOfBoth ? predicate('$is_not_distinct_from', [a, b]) : undefined;
}

function argumentsOf(expression: AnyNode): readonly AnyNode[] {
  return functionCall(expression)?.arguments ?? [];
}

/** Whether an equality is the one that `IS NOT DISTINCT FROM` has for values that aren't NULL. */
function isPlain(equality: AnyNode): boolean {
  if (collatedValues(new ResolvedNode(equality)).includes(true)) return false;
  return argumentsOf(equality).every((operand) => hasPlainEquality(typeOf(operand)));
}

/** Whether two expressions differ in nothing but their places in the query. */
function isSame(a: AnyNode, b: AnyNode): boolean {
  return isDeepStrictEqual(withoutPlaces(a), withoutPlaces(b));
}

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([field]) => field !== 'parse_location_range');
  return Object.fromEntries(fields.map(([field, part]) => [field, withoutPlaces(part)]));
}
