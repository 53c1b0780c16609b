import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Expression } from '../../dialect/expression.ts';
import type { Emitter } from '../emitter/emitter.ts';

/** The arguments of a call. Lambdas, tables and other kinds are refused because their fields stay unread. */
export function argumentsOf(node: ResolvedNode, emitter: Emitter): readonly Expression[] {
  const generic = node.list('generic_argument_list').map((argument) => {
    const expression = argument.optionalChild('expr');
    if (expression === undefined) throw node.refusal('an argument that is no value');
    return expression;
  });
  return [...node.list('argument_list'), ...generic].map((argument) => {
    const expression = emitter.expression(argument);
    // What the analyzer adds has no place in the text.
    const isAdded = argument.kind === 'resolved_literal_node' && argument.byteOffset === undefined;
    return isAdded && expression.constant?.isNull === true ? { ...expression, isOmitted: true } : expression;
  });
}
