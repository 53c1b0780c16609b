import { memoized } from '../../../../base/async/memoized.ts';
import { calledFunction, nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Expression } from '../../dialect/expression.ts';
import { functionCall } from '../../fold/expression.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { columnName } from '../pieces/column-name.ts';
import { predicate } from '../tree/make-nodes.ts';
import { differs } from '../volatile/differs.ts';
import { canFail } from './can-fail.ts';
import { both, unlessAny } from './conditions.ts';

/**
 * DuckDB evaluates subqueries before the expression around them, also those in branches that aren't chosen. So a
 * subquery that can fail reads a column with the condition under which it is chosen.
 */
interface Choice {
  /** The id of the column with the condition. */
  readonly id: number;
  /** A FROM item of one row with the column. */
  readonly from: string;
}

/**
 * The most subqueries in a condition that is evaluated once more. Each of them may contain the conditions before it, so
 * that the SQL doubles with each.
 */
const maxSubqueries = 4;

const queryKinds = ['resolved_subquery_expr_node', 'resolved_with_expr_node'];

/** Whether an expression contains a query, or a search in a list, which may become one. */
const hasQuery = memoized(
  (part: AnyNode) =>
    queryKinds.some((kind) => nodesOf(kind, part).length > 0) ||
    nodesOf('resolved_function_call_node', part).some((call) => calledFunction(call) === '$in_array'),
);

/** Emits the arguments of a call that evaluates only some of them. */
export function chosenArguments(call: ResolvedNode, emitter: Emitter): readonly Expression[] {
  const choosesQueries = hasQuery(call.arrived);
  return call.list('argument_list').map((argument, index) => {
    const condition = choosesQueries ? chosenWhen(call, index) : undefined;
    const emit = () => emitter.expression(argument);
    if (condition === undefined) return emit();
    const { chosen } = emitter;
    return emitter.withChosen(chosen === undefined ? condition : both(chosen, condition), emit);
  });
}

/**
 * The choice on which a part of the tree depends. Undefined if it can't fail or is always evaluated, and where the
 * condition can't be evaluated once more.
 */
export function choiceOf(part: AnyNode, emitter: Emitter): Choice | undefined {
  const { chosen } = emitter;
  if (chosen === undefined || !canFail(part) || !isRepeatable(chosen, emitter)) return undefined;
  const id = emitter.newColumn();
  const condition = new ResolvedNode(chosen);
  const { sql } = emitter.withChosen(undefined, () => emitter.expression(condition));
  condition.assertRead();
  return { id, from: `(SELECT ${sql} AS ${columnName({ id })})` };
}

/** Whether a condition has the same value when it is evaluated once more. */
function isRepeatable(condition: AnyNode, emitter: Emitter): boolean {
  const isAnyRow = ['resolved_limit_offset_scan_node', 'resolved_sample_scan_node'].some(
    (kind) => nodesOf(kind, condition).length > 0,
  );
  if (isAnyRow || differs(condition, emitter)) return false;
  return nodesOf('resolved_subquery_expr_node', condition).length <= maxSubqueries;
}

/**
 * The condition under which a call evaluates one of its arguments, by its other arguments. Undefined if it always does.
 * The rules are those of GoogleSQL's reference, Conditional expressions. AND and OR needn't stop at the operand that decides them:
 * their later subqueries are skipped for queries that rely on it.
 */
function chosenWhen(node: ResolvedNode, index: number): AnyNode | undefined {
  const call = functionCall(node.wrapped);
  const before = call?.arguments.slice(0, index) ?? [];
  switch (call?.name) {
    case '$or':
      return unless(before);
    case '$and':
      return unless(before.map((operand) => predicate('$not', [operand])));
    case 'ifnull':
    case 'coalesce':
      return unless(before.map((value) => predicate('$not', [predicate('$is_null', [value])])));
    case 'if':
    case '$case_no_value':
      return inBranches(before);
    case '$case_with_value': {
      const [value, ...rest] = before;
      if (value === undefined) return undefined;
      const collations = node.raw('collation_list');
      const isValue = (part: AnyNode) => predicate('$equal', [value, part], collations);
      return inBranches(rest.map((part, i) => (i % 2 === 0 ? isValue(part) : part)));
    }
    default:
      return undefined;
  }
}

function unless(stops: readonly AnyNode[]): AnyNode | undefined {
  return stops.length === 0 ? undefined : unlessAny(stops);
}

/** @param before alternating conditions and results: a result follows its condition */
function inBranches(before: readonly AnyNode[]): AnyNode | undefined {
  const conditions = before.filter((_, i) => i % 2 === 0);
  const needed = before.length % 2 === 1 ? conditions.pop() : undefined;
  const isReached = unless(conditions);
  if (needed === undefined || isReached === undefined) return needed ?? isReached;
  return both(isReached, needed);
}
