import { memoized } from '../../../base/async/memoized.ts';
import { volatileFunctions } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { constantKind } from '../dialect/constant.ts';
import { functionCall } from './expression.ts';

/** Functions with a different value at each call, or whose only purpose is an error. */
const unfoldable = new Set([...volatileFunctions, 'error', 'session_user']);

/** The properties of an expression that its tree shows. */
interface Constancy {
  /** Whether it has one value throughout a run: it depends only on literals, parameters and the clock. */
  readonly constant: boolean;
  /** The parameters in it, as spelt in the tree. */
  readonly parameters: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
const varying: Constancy = { constant: false, parameters: none };
const literal: Constancy = { constant: true, parameters: none };

/** What is known about an expression. */
export const constancyOf: (expression: AnyNode) => Constancy = memoized(judge);

function judge(expression: AnyNode): Constancy {
  const { kind, message } = unwrap(expression);
  switch (kind) {
    case constantKind:
    case 'resolved_literal_node':
      return literal;
    case 'resolved_parameter_node':
      return { constant: true, parameters: new Set([String(message.name)]) };
    case 'resolved_cast_node':
      return allOf([message.expr, message.format, message.time_zone].filter((part) => part !== undefined));
    case 'resolved_get_struct_field_node':
    case 'resolved_get_json_field_node':
      return allOf([message.expr]);
    case 'resolved_make_struct_node':
      return allOf(asList(message.field_list, 'field_list'));
    case 'resolved_function_call_node': {
      const call = functionCall(expression);
      return call === undefined || unfoldable.has(call.name) ? varying : allOf(call.arguments);
    }
    default:
      return varying;
  }
}

function allOf(expressions: readonly unknown[]): Constancy {
  const parts = expressions.map((expression) => constancyOf(asMessage(expression, 'expr')));
  if (!parts.every((part) => part.constant)) return varying;
  return { constant: true, parameters: new Set(parts.flatMap((part) => [...part.parameters])) };
}
