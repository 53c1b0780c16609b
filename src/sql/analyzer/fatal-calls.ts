import { textRange } from '../plan/parse-tree.ts';
import { syntaxNodesOf } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../resolved/node.ts';
import { positionAt } from '../text/text-position.ts';
import { AnalyzerError } from './error.ts';

const constants = new Set(['ast_string_literal_node', 'ast_null_literal_node', 'ast_parameter_expr_node']);

/** Whether the analyzer surely takes an expression for a constant. */
function isConstant(expression: AnyNode): boolean {
  const { kind, message } = unwrap(expression);
  if (kind === 'ast_cast_expression_node') return isConstant(asMessage(message.expr, 'expr'));
  return constants.has(kind);
}

/** Whether a text may have calls for {@link refuseFatalCalls}. */
export function mayHaveFatalCalls(sql: string): boolean {
  return /json_remove/i.test(sql);
}

/**
 * Refuses calls on which the analyzer's process ends at random: those of JSON_REMOVE with a third or later path that is not
 * constant. The analyzer refuses them, too, if it gets so far.
 *
 * @param tree the parse tree of the text
 * @throws AnalyzerError
 */
export function refuseFatalCalls(sql: string, tree: AnyNode): void {
  for (const call of syntaxNodesOf('ast_function_call_node', tree)) {
    const names = asList(asMessage(call.function, 'function').names, 'names');
    const name = String(asMessage(names.at(-1) ?? {}, 'names').id_string).toLowerCase();
    if (name !== 'json_remove') continue;
    for (const [index, argument] of asList(call.arguments, 'arguments').entries()) {
      const expression = asMessage(argument, 'arguments');
      if (index < 3 || isConstant(expression)) continue;
      throw new AnalyzerError(
        `Argument ${index + 1} to JSON_REMOVE must be a literal or query parameter`,
        positionAt(sql, textRange(unwrap(expression).message)?.start ?? 0),
      );
    }
  }
}
