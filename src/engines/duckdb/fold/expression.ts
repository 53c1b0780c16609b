import { isKeywordType, keywordFromProto } from '../../../sql/resolved/keyword.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { typeFromProto, valueFromProto } from '../../../sql/resolved/value-from-proto.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { type Constant, constantKind, constantOf, fixed } from '../dialect/constant.ts';

/** A call of a scalar function in the resolved tree. */
export interface FunctionCall {
  /** In lower case, such as `$equal` or `coalesce`. */
  readonly name: string;
  readonly arguments: readonly AnyNode[];
  /** Whether it is called as `SAFE.f(...)`, so that its errors become NULL. */
  readonly isSafe: boolean;
}

/** Reads an expression as a call. Undefined for other expressions and calls with lambdas. */
export function functionCall(expression: AnyNode): FunctionCall | undefined {
  const { kind, message } = unwrap(expression);
  if (kind !== 'resolved_function_call_node') return undefined;
  const base = asMessage(message.parent, 'parent');
  if (asList(base.generic_argument_list, 'generic_argument_list').length > 0) return undefined;
  const name = String(asMessage(base.function, 'function').name);
  return {
    name: name.slice(name.indexOf(':') + 1).toLowerCase(),
    arguments: asList(base.argument_list, 'argument_list') as readonly AnyNode[],
    isSafe: base.error_mode === 'SAFE_ERROR_MODE',
  };
}

/** The call with other arguments, and optionally another function and type. */
export function withArguments(
  call: AnyNode,
  args: readonly AnyNode[],
  as?: { readonly name: string; readonly type: AnyNode },
): AnyNode {
  const { message } = unwrap(call);
  const base = asMessage(message.parent, 'parent');
  const parent = {
    ...base,
    argument_list: args,
    ...(as === undefined ? {} : { function: { name: `ZetaSQL:${as.name}` }, parent: { type: as.type } }),
  };
  return { node: 'resolved_function_call_node', resolved_function_call_node: { ...message, parent } };
}

/** The `TypeProto` of an expression from the analyzer. */
export function typeProto(expression: AnyNode): AnyNode {
  let { message } = unwrap(expression);
  while (message.type === undefined) message = asMessage(message.parent, 'type');
  return asMessage(message.type, 'type');
}

export function typeOf(expression: AnyNode): SqlType {
  const { kind, message } = unwrap(expression);
  return kind === constantKind ? (message.type as SqlType) : typeFromProto(typeProto(expression));
}

/**
 * The constant of a literal or folded expression. Undefined for every other expression. That of a keyword such as DAY is a
 * STRING with its name.
 */
export function literalConstant(expression: AnyNode): Constant | undefined {
  const { kind, message } = unwrap(expression);
  if (kind === constantKind) return constantOf(message);
  if (kind !== 'resolved_literal_node') return undefined;
  const typed = asMessage(message.value, 'value');
  const value = asMessage(typed.value, 'value');
  const type = typeProto(expression);
  return fixed(
    isKeywordType(type) ? keywordFromProto(type, value) : valueFromProto(typeFromProto(type), value),
  );
}

/** Its value. */
export function literalValue(expression: AnyNode): Value | undefined {
  return literalConstant(expression)?.value;
}
