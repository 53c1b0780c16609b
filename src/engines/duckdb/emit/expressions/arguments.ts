import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../../sql/type.ts';
import type { Expression } from '../../expression.ts';
import type { Emitter } from '../emitter.ts';

/** Calls that only pass their arguments on, or test them for NULL. */
const indifferent = new Set([
  '$case_no_value',
  '$is_null',
  '$make_array',
  'any_value',
  'array_agg',
  'array_length',
  'coalesce',
  'count',
  'if',
  'ifnull',
  'nullif',
]);

/** Calls that handle BIGNUMERIC as text. Equal numbers have equal texts. */
const ofCarriedTypes = new Set([
  '$add',
  '$between',
  '$case_with_value',
  '$divide',
  '$equal',
  '$greater',
  '$greater_or_equal',
  '$in',
  '$in_array',
  '$is_distinct_from',
  '$is_not_distinct_from',
  '$less',
  '$less_or_equal',
  '$multiply',
  '$not_equal',
  '$subtract',
  '$unary_minus',
  'abs',
  'ceil',
  'div',
  'floor',
  'format',
  'hll_count.init',
  'mod',
  'round',
  'safe_add',
  'safe_divide',
  'safe_multiply',
  'safe_negate',
  'safe_subtract',
  'sign',
  'sqrt',
  'trunc',
]);

/**
 * Refuses computations with values that DuckDB stores as texts with a different meaning.
 *
 * @param key the function's name in the allow-list
 */
export function refuseCarriedTypes(key: string, label: string, args: readonly Expression[]): void {
  if (indifferent.has(key) || ofCarriedTypes.has(key)) return;
  if (args.some(({ type }) => holdsCarriedType(type))) throw unsupported(`BIGNUMERIC in ${label}`);
}

/** Whether values of the type are, or contain, values stored as text. */
function holdsCarriedType(type: SqlType): boolean {
  switch (type.kind) {
    case 'ARRAY':
      return holdsCarriedType(type.element);
    case 'STRUCT':
      return type.fields.some((field) => holdsCarriedType(field.type));
    default:
      return type.kind === 'BIGNUMERIC';
  }
}

/** The arguments of a call. Lambdas, tables and other kinds are refused because their fields stay unread. */
export function argumentsOf(node: ResolvedNode, emitter: Emitter): readonly Expression[] {
  const generic = node.list('generic_argument_list').map((argument) => {
    const expression = argument.optionalChild('expr');
    if (expression === undefined) throw node.refusal('an argument that is no value');
    return expression;
  });
  return [...node.list('argument_list'), ...generic].map((argument) => emitter.expression(argument));
}
