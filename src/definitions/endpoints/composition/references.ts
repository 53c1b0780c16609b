import { AnalyzerError } from '../../../sql/analyzer/error.ts';
import { type TextRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { syntaxNodesOf, visitFields } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, isPresent, unwrap } from '../../../sql/resolved/node.ts';
import { positionAt } from '../../../sql/text/text-position.ts';
import { folderOf, type Mention, partsOf } from './mentions.ts';

/** An argument of a reference. Places are in UTF-8 bytes. */
export interface Argument {
  readonly name: string;
  /** Where `name => value` is. */
  readonly range: TextRange;
  readonly value: TextRange;
  /** The parameter that is its whole value, if it is one. */
  readonly parameter?: string;
}

/** A place of a FROM clause that reads a stored query. */
export interface Reference extends Mention {
  readonly range: TextRange;
  readonly arguments: readonly Argument[];
  readonly hasAlias: boolean;
}

/**
 * The places of a query that read stored queries, in text order. A path whose first name is that of a table, column or WITH entry within
 * the query means what it meant before there were such paths.
 *
 * @param sql the text
 * @param parsed its parse tree
 * @throws AnalyzerError for an argument without a name
 */
export function referencesIn(sql: string, parsed: AnyNode): readonly Reference[] {
  const own = aliasesIn(parsed);
  const found: Reference[] = [];
  const add = (node: AnyNode, names: readonly string[], end: number, given: readonly Argument[]) => {
    const [first, ...rest] = names;
    const folder = folderOf(first);
    const start = textRange(node)?.start;
    if (folder === undefined || own.has(folder) || rest.length === 0 || start === undefined) return;
    const hasAlias = isPresent(node.alias);
    found.push({ folder, names: rest, range: { start, end }, arguments: given, hasAlias });
  };
  for (const node of syntaxNodesOf('ast_table_path_expression_node', parsed)) {
    if (!isPresent(node.path_expr)) continue;
    const path = asMessage(node.path_expr, 'path_expr');
    add(node, namesOf(path), textRange(path)?.end ?? 0, []);
  }
  for (const node of syntaxNodesOf('ast_tvf_node', parsed)) {
    const names = namesOf(asMessage(node.name, 'name'));
    if (folderOf(names[0]) === undefined || own.has(names[0]?.toLowerCase() ?? '')) continue;
    const entries = asList(node.argument_entries ?? [], 'argument_entries').map((each) =>
      asMessage(each, 'entry'),
    );
    add(
      node,
      names,
      closingBracket(sql, node, entries),
      entries.map((entry) => argumentOf(sql, entry)),
    );
  }
  if (found.length > 0 && own.has('logs'))
    throw new AnalyzerError('A query that reads endpoints or views can give nothing the name "logs"');
  return found.sort((a, b) => a.range.start - b.range.start);
}

function namesOf(path: AnyNode): string[] {
  const names = asList(path.names, 'names').map((name) => String(asMessage(name, 'name').id_string));
  const [first = '', ...rest] = names;
  return [...partsOf(first), ...rest];
}

/** The names that a query gives to something, in lower case. */
function aliasesIn(parsed: AnyNode): ReadonlySet<string> {
  const names = new Set<string>();
  visitFields(parsed, new Set(), (field, value) => {
    if (field !== 'alias' || !isPresent(value)) return;
    const alias = asMessage(value, field);
    const identifier = isPresent(alias.identifier) ? asMessage(alias.identifier, 'identifier') : alias;
    names.add(String(identifier.id_string).toLowerCase());
  });
  return names;
}

/** The end of a call, which may have an alias and other clauses behind it. */
function closingBracket(sql: string, node: AnyNode, entries: readonly AnyNode[]): number {
  const from = textRange(entries.at(-1) ?? node.name)?.end ?? 0;
  const bytes = Buffer.from(sql);
  // Only spaces and comments can be before the bracket.
  const rest = bytes.subarray(from).toString();
  const before = /^(?:\s|\(|\/\*.*?\*\/|(?:--|#)[^\r\n]*)*?\)/su.exec(rest)?.[0] ?? '';
  return from + Buffer.byteLength(before);
}

function argumentOf(sql: string, entry: AnyNode): Argument {
  const range = textRange(entry) ?? { start: 0, end: 0 };
  const { kind, message } = isPresent(entry.expr)
    ? unwrap(asMessage(entry.expr, 'expr'))
    : { kind: '', message: {} };
  if (kind !== 'ast_named_argument_node')
    throw new AnalyzerError('An argument is written as name => value here', positionAt(sql, range.start));
  const value = unwrap(asMessage(message.expr, 'expr'));
  const parameter = value.kind === 'ast_parameter_expr_node' ? value.message.name : undefined;
  return {
    name: String(asMessage(message.name, 'name').id_string),
    range,
    value: textRange(value.message) ?? range,
    ...(isPresent(parameter) && { parameter: String(asMessage(parameter, 'name').id_string) }),
  };
}
