import { type TextRange, textRange } from '../../../sql/parse-tree.ts';
import { type AnyNode, asList, asMessage } from '../../../sql/resolved/node.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { nodesOf, syntaxNodesOf } from '../../../sql/tree-nodes.ts';
import { quoted, quotedTable, type TableName, type TableNames } from './table-names.ts';
import type { TextEdit } from './text-edits.ts';

const catalogFolder = 'logs.';

export interface TableEdits {
  readonly edits: readonly TextEdit[];
  /** The tables that the query reads, by source. */
  readonly tables: ReadonlyMap<string, TableName>;
}

/**
 * What puts BigQuery's tables in the place of sources. The resolved tree tells which paths of the text are sources: a
 * CTE or an array may have the same name, in strings and comments it means nothing. Where the text gives a table no
 * alias, it gets the one that it had by its name.
 *
 * @param statement the resolved statement
 * @param parsed the parse tree of the same text
 * @throws UnsupportedError for a read of a source that isn't found in the text
 */
export function tableEdits(statement: AnyNode, parsed: AnyNode, names: TableNames): TableEdits {
  const paths = pathsByRange(parsed);
  const edits = new Map<string, TextEdit>();
  const tables = new Map<string, TableName>();
  for (const scan of nodesOf('resolved_table_scan_node', statement)) {
    const table = asMessage(scan.table, 'table');
    const path = String(table.full_name || table.name);
    const range = textRange(scan);
    const found = range && paths.get(keyOf(range));
    const length = found && pathLength(found, path);
    if (!path.startsWith(catalogFolder) || length === undefined) {
      throw unsupported(`reading ${path} in this way`, range?.start);
    }
    const source = path.slice(catalogFolder.length);
    const name = names(source);
    tables.set(source, name);
    for (const edit of editsOf(found as TablePath, length, name)) edits.set(keyOf(edit), edit);
  }
  return { edits: [...edits.values()], tables };
}

/** A path that is read as a table: `logs.edge_logs AS e`. */
interface TablePath {
  readonly names: readonly { readonly text: string; readonly range: TextRange }[];
  /** Where an alias may be put; undefined when there is one. */
  readonly aliasOffset: number | undefined;
}

function pathsByRange(parsed: AnyNode): Map<string, TablePath> {
  const paths = new Map<string, TablePath>();
  for (const node of syntaxNodesOf('ast_table_path_expression_node', parsed)) {
    const range = textRange(node.path_expr);
    // It is UNNEST(...) otherwise.
    if (range === undefined) continue;
    const names = asList(asMessage(node.path_expr, 'path_expr').names, 'names').map((name) => {
      const nameRange = textRange(name);
      if (nameRange === undefined)
        throw new TypeError('The parse tree is malformed: a name without its place');
      return { text: String(asMessage(name, 'names').id_string), range: nameRange };
    });
    const aliasOffset = node.alias ? undefined : (textRange(node.hint)?.end ?? range.end);
    paths.set(keyOf(range), { names, aliasOffset });
  }
  return paths;
}

function keyOf({ start, end }: TextRange): string {
  return `${start} ${end}`;
}

/** How many names of the path are the table; those behind it are an array in its rows. Letter case doesn't count. */
function pathLength({ names }: TablePath, table: string): number | undefined {
  const wanted = table.toLowerCase();
  for (const length of [1, 2]) {
    const joined = names.slice(0, length).map(({ text }) => text.toLowerCase());
    if (joined.length === length && joined.join('.') === wanted) return length;
  }
  return undefined;
}

function editsOf({ names, aliasOffset }: TablePath, length: number, table: TableName): TextEdit[] {
  const [first, last] = [names[0], names[length - 1]];
  if (first === undefined || last === undefined) return [];
  const path = { start: first.range.start, end: last.range.end, text: quotedTable(table) };
  // A path to an array keeps its last name, and so its alias.
  if (aliasOffset === undefined || names.length > length) return [path];
  return [path, { start: aliasOffset, end: aliasOffset, text: ` AS ${quoted(last.text)}` }];
}
