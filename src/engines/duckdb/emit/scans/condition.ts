import type { AnyNode } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { fixedNode } from '../../dialect/constant.ts';
import { functionCall, withArguments } from '../../fold/expression.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { outerColumns } from '../emitter/outer-columns.ts';
import { predicate } from '../tree/make-nodes.ts';
import { nullSafe } from './null-safe.ts';

/** The condition of a filter or join, in a form that DuckDB computes fast and exactly. */
export function conditionOf(condition: ResolvedNode, { isCorrelated }: Emitter): ResolvedNode {
  const safe = nullSafe(condition);
  if (!isCorrelated) return safe;
  const rewritten = withoutDifferences(safe.wrapped);
  return rewritten === undefined ? safe : condition.replacedBy(rewritten);
}

const yes = fixedNode({ kind: 'BOOL' }, true);
const no = fixedNode({ kind: 'BOOL' }, false);

/**
 * `IF(a <> b, TRUE, FALSE)` for `a <> b` with a column of an outer query. When DuckDB 1.5.5 reads the outer rows' values from the subquery's
 * own table, it compares by `IS DISTINCT FROM` in place of `<>`, and takes NULL for another value. Undefined if there is none.
 */
function withoutDifferences(condition: AnyNode): AnyNode | undefined {
  const call = functionCall(condition);
  if (call === undefined) return undefined;
  if (call.name !== '$and' && call.name !== '$or')
    return isDifference(condition) ? predicate('if', [condition, yes, no]) : undefined;
  const operands = call.arguments.map(withoutDifferences);
  if (operands.every((operand) => operand === undefined)) return undefined;
  return withArguments(
    condition,
    call.arguments.map((operand, i) => operands[i] ?? operand),
  );
}

/** Whether it is `a <> b`, `NOT (a = b)` or the like. */
function isDifference(condition: AnyNode): boolean {
  const name = functionCall(condition)?.name;
  return (name === '$not_equal' || name === '$not') && outerColumns(condition).size > 0;
}
