import { textRange } from '../plan/parse-tree.ts';
import { syntaxNodesOf } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../resolved/node.ts';
import { positionAt } from '../text/text-position.ts';
import { AnalyzerError } from './error.ts';

/** A part of a text that is refused. */
interface Mistake {
  readonly message: string;
  /** Its place. */
  readonly at: AnyNode;
}

/** A construct on which the analyzer's process ends, always or at random. */
interface FatalConstruct {
  /** Words that all texts with it have, in lower case. */
  readonly words: readonly string[];
  /** Finds it in a parse tree. */
  readonly find: (tree: AnyNode) => Mistake | undefined;
}

const constants = new Set(['ast_string_literal_node', 'ast_null_literal_node', 'ast_parameter_expr_node']);

/** Whether the analyzer surely takes an expression for a constant. */
function isConstant(expression: AnyNode): boolean {
  const { kind, message } = unwrap(expression);
  if (kind === 'ast_cast_expression_node') return isConstant(asMessage(message.expr, 'expr'));
  return constants.has(kind);
}

/** The last part of a name, in lower case. */
function lastName(path: unknown): string {
  const names = asList(asMessage(path, 'path').names, 'names');
  return String(asMessage(names.at(-1) ?? {}, 'names').id_string).toLowerCase();
}

/** The analyzer refuses later paths that are not constant, too, if it gets so far. */
function removedPath(tree: AnyNode): Mistake | undefined {
  for (const call of syntaxNodesOf('ast_function_call_node', tree)) {
    if (lastName(call.function) !== 'json_remove') continue;
    for (const [index, argument] of asList(call.arguments, 'arguments').entries()) {
      const expression = asMessage(argument, 'arguments');
      if (index < 3 || isConstant(expression)) continue;
      return {
        message: `Argument ${index + 1} to JSON_REMOVE must be a literal or query parameter`,
        at: expression,
      };
    }
  }
  return undefined;
}

/** The analyzer reads a constant STRING as a literal. It doesn't expect that casts make it NULL. */
function castInterval(tree: AnyNode): Mistake | undefined {
  for (const interval of syntaxNodesOf('ast_interval_expr_node', tree)) {
    const value = asMessage(interval.interval_value, 'interval_value');
    const { kind, message } = unwrap(value);
    if (kind !== 'ast_cast_expression_node') continue;
    const type = unwrap(asMessage(message.type, 'type'));
    if (type.kind !== 'ast_simple_type_node' || lastName(type.message.type_name) !== 'string') continue;
    return {
      message: 'INTERVAL of a CAST to STRING is not supported: write an INT64, or a literal',
      at: value,
    };
  }
  return undefined;
}

const constructs: readonly FatalConstruct[] = [
  { words: ['json_remove'], find: removedPath },
  { words: ['interval', 'cast', 'string'], find: castInterval },
];

/** The constructs that a text may have. */
function possibleIn(sql: string): readonly FatalConstruct[] {
  const text = sql.toLowerCase();
  return constructs.filter(({ words }) => words.every((word) => text.includes(word)));
}

/** Whether a text may have constructs for {@link refuseFatalConstructs}. */
export function mayBeFatal(sql: string): boolean {
  return possibleIn(sql).length > 0;
}

/**
 * Refuses constructs on which the analyzer's process ends.
 *
 * @param tree the parse tree of the text
 * @throws AnalyzerError that names the construct, with its place
 */
export function refuseFatalConstructs(sql: string, tree: AnyNode): void {
  for (const { find } of possibleIn(sql)) {
    const mistake = find(tree);
    if (mistake === undefined) continue;
    const start = textRange(unwrap(mistake.at).message)?.start ?? 0;
    throw new AnalyzerError(mistake.message, positionAt(sql, start));
  }
}
