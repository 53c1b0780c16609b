import { type TextRange, textRange } from '../../../sql/parse-tree.ts';
import { type AnyNode, asMessage } from '../../../sql/resolved/node.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { nodesOf } from '../../../sql/tree-nodes.ts';
import { quoted, quotedTable, type TableName, type TableNames } from './table-names.ts';
import { type TablePath, tablePaths } from './table-paths.ts';
import type { TextEdit } from './text-edits.ts';

const sourcesFolder = 'logs.';

export interface TableEdits {
  readonly edits: readonly TextEdit[];
  /** The tables that the query reads, by source. */
  readonly tables: ReadonlyMap<string, TableName>;
}

/**
 * Replaces sources by BigQuery's tables. The resolved tree shows which paths of the text are sources: a CTE or an array
 * may have the same name, and strings and comments don't count. A table without an alias gets its previous name as
 * alias.
 *
 * @param statement the resolved statement
 * @param parsed the parse tree of the same text
 * @throws UnsupportedError for a source that isn't found in the text, or a name that BigQuery could read as a table
 *   that isn't a source
 */
export function tableEdits(statement: AnyNode, parsed: AnyNode, names: TableNames): TableEdits {
  const sources = sourcesByPlace(statement);
  const tables = new Map<string, TableName>();
  const edits: TextEdit[] = [];
  for (const path of tablePaths(parsed)) {
    const source = sources.get(keyOf(path.range));
    if (source === undefined) {
      checkNames(path);
      continue;
    }
    const table = names(source);
    tables.set(source, table);
    edits.push(...editsOf(path, source, table));
    sources.delete(keyOf(path.range));
  }
  const [lost] = sources.values();
  if (lost !== undefined) throw unsupported(`reading ${sourcesFolder}${lost} in this way`);
  return { edits, tables };
}

/** The sources that a statement reads, by position. A table that isn't a source is refused. */
function sourcesByPlace(statement: AnyNode): Map<string, string> {
  const sources = new Map<string, string>();
  for (const scan of nodesOf('resolved_table_scan_node', statement)) {
    const { full_name, name } = asMessage(scan.table, 'table');
    const path = String(full_name || name);
    const range = textRange(scan);
    if (!path.startsWith(sourcesFolder)) throw unsupported(`reading ${path}`, range?.start);
    sources.set(range === undefined ? path : keyOf(range), path.slice(sourcesFolder.length));
  }
  return sources;
}

function keyOf({ start, end }: TextRange): string {
  return `${start} ${end}`;
}

/**
 * Refuses quoted names with dots: BigQuery splits them, so that a CTE or an alias named ``
 * `other-project.dataset.table` `` would let its caller read that table.
 */
function checkNames({ names }: TablePath): void {
  for (const { text, range } of names) {
    if (/[.:*$@]|^information_schema$/i.test(text)) {
      throw unsupported(`reading from the name ${quoted(text)}`, range.start);
    }
  }
}

function editsOf({ names, aliasOffset }: TablePath, source: string, table: TableName): TextEdit[] {
  const length = namesOfSource(names, source);
  const [first, last] = [names[0], names[length - 1]];
  if (first === undefined || last === undefined)
    throw unsupported(`reading ${sourcesFolder}${source} in this way`);
  const path = { start: first.range.start, end: last.range.end, text: quotedTable(table) };
  // A path to an array keeps its last name, and so its alias.
  if (aliasOffset === undefined || names.length > length) return [path];
  return [path, { start: aliasOffset, end: aliasOffset, text: ` AS ${quoted(last.text)}` }];
}

/** The number of leading names that form the source, one or two. The others are an array in its rows. */
function namesOfSource(names: TablePath['names'], source: string): number {
  const wanted = `${sourcesFolder}${source}`.toLowerCase();
  const isSource = (length: number) =>
    names
      .slice(0, length)
      .map(({ text }) => text.toLowerCase())
      .join('.') === wanted;
  return [1, 2].find(isSource) ?? 0;
}
