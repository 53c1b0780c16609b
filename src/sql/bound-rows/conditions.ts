import { resolvedLeaves, visitFields } from '../plan/tree-nodes.ts';
import { type AnyNode, asMessage, fieldsOf, messageOf, messages, unwrap } from '../resolved/node.ts';

/** Functions of a parameter and constants. */
export const preserving = new Set(
  'concat $concat_op lower upper trim ltrim rtrim replace split string to_hex to_base64 from_hex from_base64 md5 sha1 sha256 sha512 farm_fingerprint normalize normalize_and_casefold to_json'.split(
    ' ',
  ),
);
/** Functions whose results can be made from one of several arguments, or tell little of them. */
export const conditional = new Set(
  'if ifnull coalesce nullif zeroifnull nullifzero iferror nulliferror $case_no_value $case_with_value $and $or $not $is_null $is_true $is_false $is_distinct_from $is_not_distinct_from $equal $not_equal $less $less_or_equal $greater $greater_or_equal $between $in $in_array $make_array greatest least'.split(
    ' ',
  ),
);
const subqueryKind = 'resolved_subquery_expr_node';
/** Parts of an expression whose value is not made from columns alone. */
export const otherValues = new Set([
  subqueryKind,
  'resolved_parameter_node',
  'resolved_argument_ref_node',
  'resolved_make_struct_node',
  'resolved_with_expr_node',
  'resolved_inline_lambda_node',
  'resolved_inlined_lambda_node',
  'resolved_aggregate_function_call_node',
  'resolved_analytic_function_call_node',
]);
/** Parts of an expression that are not searched for what its value is made from. */
export const valueLeaves = new Set([...resolvedLeaves, subqueryKind]);

/** The subqueries in an expression, without those in them. */
export function subqueriesOf(expr: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  visitFields(expr, valueLeaves, (field, value) => {
    if (field === subqueryKind) found.push(asMessage(value, field));
  });
  return found;
}

/** What a call is equivalent to: any of some lists of conditions that all hold. */
export function branchesOf(name: string, args: readonly AnyNode[]): AnyNode[][] | undefined {
  if (name === '$or') return args.map((each) => [each]);
  if (name === 'if') return [args.slice(0, 2), args.slice(2)];
  if (name !== '$case_no_value') return undefined;
  return args.flatMap((_each, index) => (index % 2 === 0 ? [args.slice(index, index + 2)] : []));
}

/** The parameter that a condition tests for NULL or emptiness. */
export function emptyTested(name: string, args: readonly AnyNode[]): string | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (name === '$is_null') return parameterName(first);
  if (name !== '$equal' || second === undefined) return undefined;
  const { kind, message } = unwrap(first);
  const call = kind === 'resolved_function_call_node' ? callOf(message) : undefined;
  const [argument = first, instead] = call?.args ?? [];
  if (call === undefined || call.name === 'ifnull' || call.name === 'coalesce') {
    const isText = [second, ...(instead === undefined ? [] : [instead])].every(
      (each) => literalOf(each)?.string_value === '',
    );
    return isText ? parameterName(argument) : undefined;
  }
  const isLength = call.name === 'array_length' || call.name === 'length' || call.name === 'char_length';
  return isLength && Number(literalOf(second)?.int64_value ?? 1) === 0 ? parameterName(argument) : undefined;
}

/** The value of a literal as received, which has no fields if it is NULL. Undefined for other expressions. */
function literalOf(expr: AnyNode): AnyNode | undefined {
  const { kind, message } = unwrap(expr);
  if (kind !== 'resolved_literal_node') return undefined;
  return messageOf(messageOf(message, 'value'), 'value');
}

/** Whether a literal is TRUE. */
export function isTrue(literal: AnyNode): boolean {
  const value = messageOf(messageOf(literal, 'value'), 'value');
  return value.bool_value !== false && value.value !== undefined && value.value !== null;
}

/** The name of a parameter, in lower case. Undefined for other expressions. */
export function parameterName(expr: AnyNode): string | undefined {
  const { kind, message } = unwrap(expr);
  return kind === 'resolved_parameter_node' ? String(message.name).toLowerCase() : undefined;
}

/** A call of a built-in function. The name is empty for others. */
export function callOf(call: AnyNode): { readonly name: string; readonly args: readonly AnyNode[] } {
  const base = fieldsOf(call);
  const name = String(messageOf(base, 'function').name).toLowerCase();
  const args = messages(base, 'argument_list');
  return { name: name.startsWith('zetasql:') ? name.slice('zetasql:'.length) : '', args };
}
