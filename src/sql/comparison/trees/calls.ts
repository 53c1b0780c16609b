import { calledFunction } from '../../plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  fieldsOf,
  messageOf,
  messages,
  unwrap,
  withField,
} from '../../resolved/node.ts';
import { isPopulated } from '../../resolved/populated.ts';

const callKind = 'resolved_function_call_node';

/** A call of a function without modifiers. */
export interface PlainCall {
  /** In lower case: `$equal`, `timestamp_sub`. */
  readonly name: string;
  readonly args: readonly AnyNode[];
}

/**
 * The call that a wrapped expression is. Undefined for what is no call, and for calls with a collation or a hint, or with SAFE
 * before their name.
 */
export function plainCall(expression: AnyNode): PlainCall | undefined {
  const { kind, message } = unwrap(expression);
  if (kind !== callKind) return undefined;
  const fields = fieldsOf(message);
  const isPlain =
    !isPopulated(fields.collation_list) &&
    !isPopulated(fields.hint_list) &&
    !isPopulated(fields.generic_argument_list) &&
    (fields.error_mode ?? 'DEFAULT_ERROR_MODE') === 'DEFAULT_ERROR_MODE';
  return isPlain ? { name: calledFunction(message), args: messages(fields, 'argument_list') } : undefined;
}

/** The same call with another function and other arguments. Its overload is not stated: the types of the arguments determine it. */
export function withCall(expression: AnyNode, name: string, args: readonly AnyNode[]): AnyNode {
  const { message } = unwrap(expression);
  const called = { ...messageOf(fieldsOf(message), 'function'), name: `ZetaSQL:${name}` };
  const call = withoutFields(withField(withField(message, 'function', called), 'argument_list', args), [
    'signature',
    'function_call_info',
  ]);
  return { node: callKind, [callKind]: call };
}

/** The conditions that AND joins: one, if the expression isn't AND. */
export function conjunctsOf(condition: AnyNode): readonly AnyNode[] {
  const call = plainCall(condition);
  return call?.name === '$and' ? call.args.flatMap(conjunctsOf) : [condition];
}

/** The message without some fields, of its own type and of its base types. */
export function withoutFields(message: AnyNode, names: readonly string[]): AnyNode {
  const { parent, ...own } = message;
  const kept = Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)));
  return isPopulated(parent) ? { parent: withoutFields(asMessage(parent, 'parent'), names), ...kept } : kept;
}
