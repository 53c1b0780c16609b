import type { AnyNode } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { functionCall } from '../../fold/expression.ts';
import { predicate } from '../tree/make-nodes.ts';
import { both, unlessAny } from './conditions.ts';

/**
 * The condition under which a call evaluates one of its arguments, by its other arguments. Undefined if it always does.
 * The rules are those of GoogleSQL's reference, Conditional expressions. AND and OR needn't stop at the operand that decides them:
 * their later subqueries are skipped for queries that rely on it.
 */
export function chosenWhen(node: ResolvedNode, index: number): AnyNode | undefined {
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
