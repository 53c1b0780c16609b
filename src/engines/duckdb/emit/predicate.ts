import { calledFunction } from '../../../sql/called-function.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import { typeOf, typeProto, withArguments } from '../fold/expression.ts';
import { hasPlainEquality } from '../functions/comparison/equality.ts';

/**
 * The condition of a filter or a join, for which NULL is the same as false. `a = b OR (a IS NULL AND b IS NULL)` becomes
 * `a IS NOT DISTINCT FROM b`, by which DuckDB can join. Elsewhere, the two differ where one value is NULL.
 */
export function predicate(condition: ResolvedNode): ResolvedNode {
  const simpler = simplified(condition.wrapped);
  return simpler === undefined ? condition : condition.replacedBy(simpler);
}

/** Undefined if nothing can be simplified. */
function simplified(condition: AnyNode): AnyNode | undefined {
  const operands = operandsOf('$and', condition);
  if (operands === undefined) return nullSafeEquality(condition);
  const simpler = operands.map(simplified);
  if (simpler.every((operand) => operand === undefined)) return undefined;
  return withArguments(
    condition,
    operands.map((operand, i) => simpler[i] ?? operand),
  );
}

function nullSafeEquality(condition: AnyNode): AnyNode | undefined {
  const [first, second, ...others] = operandsOf('$or', condition) ?? [];
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  const [equality, nulls] = operandsOf('$equal', first) ? [first, second] : [second, first];
  const sides = operandsOf('$equal', equality);
  const [side] = sides ?? [];
  if (sides === undefined || side === undefined || !hasPlainEquality(typeOf(side))) return undefined;
  const tested = operandsOf('$and', nulls)?.map((test) => operandsOf('$is_null', test)?.[0]);
  if (tested === undefined || textOf(sides) !== textOf(tested)) return undefined;
  return withArguments(equality, sides, { name: '$is_not_distinct_from', type: typeProto(condition) });
}

/** The arguments of a call of a function. Undefined for anything else. */
function operandsOf(name: string, expression: AnyNode): readonly AnyNode[] | undefined {
  const { kind, message } = unwrap(expression);
  if (kind !== 'resolved_function_call_node' || calledFunction(message) !== name) return undefined;
  const { argument_list } = asMessage(message.parent, 'parent');
  return asList(argument_list, 'argument_list').map((argument) => asMessage(argument, 'argument_list'));
}

/** Equal for the same expressions in any order. */
function textOf(expressions: readonly unknown[]): string {
  const ofField = (field: string, value: unknown) => {
    if (field === 'parse_location_range') return undefined;
    return typeof value === 'bigint' ? `${value}n` : value;
  };
  return expressions
    .map((expression) => JSON.stringify(expression, ofField))
    .sort()
    .join();
}
