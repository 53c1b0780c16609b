import { calledFunction } from '../../../../sql/plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  fieldsOf,
  messages,
  rewrap,
  unwrap,
  withField,
} from '../../../../sql/resolved/node.ts';
import { constantKind } from '../../dialect/constant.ts';
import { scalarFunctions } from '../../functions/scalar-functions.ts';

export const callKind = 'resolved_function_call_node';
export const aggregateKind = 'resolved_aggregate_function_call_node';
export const subqueryKind = 'resolved_subquery_expr_node';
export const referenceKind = 'resolved_column_ref_node';

/** Calls, also those that aren't written as such. */
export const callKinds: ReadonlySet<string> = new Set([
  callKind,
  'resolved_cast_node',
  'resolved_get_json_field_node',
]);

/** Expressions whose parts are expressions over the same row. */
const rowKinds = new Set([
  ...callKinds,
  ...['resolved_make_struct_node', 'resolved_get_struct_field_node', aggregateKind],
]);

const leafKinds = new Set([
  ...['resolved_literal_node', 'resolved_parameter_node', constantKind, referenceKind],
]);

/** Whether an expression is a value or a column. */
export function isLeaf(expression: AnyNode): boolean {
  return leafKinds.has(unwrap(expression).kind);
}

/** Whether the parts of an expression are known. Others have rows or names of their own, as subqueries and lambdas. */
export function hasParts(expression: AnyNode): boolean {
  return rowKinds.has(unwrap(expression).kind);
}

const partFields = ['argument_list', 'expr', 'field_list'];

/** The parts of an expression that {@link hasParts}, in order. */
export function partsOf(expression: AnyNode): readonly AnyNode[] {
  const fields = fieldsOf(unwrap(expression).message);
  return partFields.flatMap((field) => {
    const value = fields[field];
    if (Array.isArray(value)) return messages(fields, field);
    return value === undefined || value === null ? [] : [asMessage(value, field)];
  });
}

/** Changes the parts of an expression. One without known parts stays as it is. */
export function withParts(
  expression: AnyNode,
  change: (part: AnyNode, frequency: Frequency) => AnyNode,
): AnyNode {
  if (!hasParts(expression)) return expression;
  const { message } = unwrap(expression);
  const fields = fieldsOf(message);
  const changed = partFields.reduce((result, field) => {
    const value = fields[field];
    if (value === undefined || value === null) return result;
    const parts = Array.isArray(value)
      ? messages(fields, field).map((part, i) => change(part, frequencyOf(expression, i)))
      : change(asMessage(value, field), 'always');
    return withField(result, field, parts);
  }, message);
  return rewrap(expression, changed);
}

/**
 * For which rows a part of an expression is evaluated: for all; for many, as the conditions of CASE and the operands of AND; or for some
 * only, as their results.
 */
export type Frequency = 'always' | 'often' | 'sometimes';

const frequencies: readonly Frequency[] = ['sometimes', 'often', 'always'];

/** The lower one of two frequencies. */
export function lower(one: Frequency, other: Frequency): Frequency {
  return frequencies[Math.min(frequencies.indexOf(one), frequencies.indexOf(other))] as Frequency;
}

export function higher(one: Frequency, other: Frequency): Frequency {
  return lower(one, other) === one ? other : one;
}

/** How often a part of an expression is evaluated, for each row of the expression. */
export function frequencyOf(expression: AnyNode, index: number): Frequency {
  const { kind, message } = unwrap(expression);
  if (index === 0 || kind !== callKind) return 'always';
  const name = calledFunction(message);
  const isKnown = Object.hasOwn(scalarFunctions, name);
  if (isKnown && scalarFunctions[name]?.lazy !== true) return 'always';
  if (name === '$and' || name === '$or') return 'often';
  const isLast = index === partsOf(expression).length - 1;
  const isCondition =
    (name === '$case_no_value' && index % 2 === 0) || (name === '$case_with_value' && index % 2 === 1);
  return isCondition && !isLast ? 'often' : 'sometimes';
}
