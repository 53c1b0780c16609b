import { isTablePath, pathOfTable, tableOfPath } from '../../../definitions/sources/source.ts';
import { type TextRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { nodesOf, syntaxNodesOf } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage } from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import type { TextEdit } from './text-edits.ts';

interface TableEdits {
  readonly edits: readonly TextEdit[];
  /** The sources that the query reads. */
  readonly sources: ReadonlySet<string>;
  /** The edits, by their starts, in whose place a subquery over the table can be, too. */
  readonly relations: ReadonlySet<number>;
}

/** What takes the place of a source in a text. */
export interface TableText {
  readonly sql: string;
  /** Whether it is a name, which a path to an array in its rows can begin with. */
  readonly isName: boolean;
}

/**
 * Replaces sources by BigQuery's tables, or by something else with their rows. The resolved tree shows which paths of the
 * text are sources: a CTE or an array may have the same name, and strings and comments don't count. A table without an
 * alias gets its previous name as alias.
 *
 * @param statement the resolved statement
 * @param parsed the parse tree of the same text
 * @throws UnsupportedError for a source that isn't found in the text, or a name that BigQuery could read as a table
 *   that isn't a source
 */
export function tableEdits(
  statement: AnyNode,
  parsed: AnyNode,
  textOf: (source: string) => TableText,
): TableEdits {
  const sources = sourcesByPlace(statement);
  const read = new Set<string>();
  const edits: TextEdit[] = [];
  const relations = new Set<number>();
  for (const path of tablePaths(parsed)) {
    const table = sources.get(keyOf(path.range));
    if (table === undefined) {
      checkNames(path);
      continue;
    }
    const { source, written } = table;
    read.add(source);
    edits.push(...editsOf(path, written, ofDays(textOf(source), table)));
    if (path.isBare && path.names.length === namesOfSource(path.names, written))
      relations.add(path.range.start);
    sources.delete(keyOf(path.range));
  }
  const [lost] = sources.values();
  if (lost !== undefined) throw unsupported(`reading ${pathOfTable(lost.written)} in this way`);
  return { edits, sources: read, relations };
}

/** A table that a statement reads. */
interface ReadTable {
  readonly source: string;
  /** What the text calls it: some days of the source, `events_2026*`, or the source. */
  readonly written: string;
}

/** The tables of some days have the name of all of them, with digits in place of the star, or before it. */
function ofDays({ sql, isName }: TableText, { source, written }: ReadTable): TableText {
  if (source.toLowerCase() === written.toLowerCase()) return { sql, isName };
  if (!isName) throw unsupported(`reading ${pathOfTable(written)}, over rows that are given`);
  const days = written.slice(source.length - 1);
  return { sql: sql.replace(/\*`$/, `${days}\``), isName };
}

/** The sources that a statement reads, by position. A table that isn't a source is refused. */
function sourcesByPlace(statement: AnyNode): Map<string, ReadTable> {
  const sources = new Map<string, ReadTable>();
  for (const scan of nodesOf('resolved_table_scan_node', statement)) {
    const { full_name, name, written_name } = asMessage(scan.table, 'table');
    const path = String(full_name || name);
    const range = textRange(scan);
    if (!isTablePath(path)) throw unsupported(`reading ${path}`, range?.start);
    const source = tableOfPath(path);
    const written = tableOfPath(String(written_name ?? path));
    sources.set(range === undefined ? path : keyOf(range), { source, written });
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
      throw unsupported(`reading from the name ${identifier(text)}`, range.start);
    }
  }
}

function editsOf({ names, aliasOffset }: TablePath, written: string, { sql, isName }: TableText): TextEdit[] {
  const length = namesOfSource(names, written);
  const [first, last] = [names[0], names[length - 1]];
  if (first === undefined || last === undefined)
    throw unsupported(`reading ${pathOfTable(written)} in this way`);
  if (names.length > length && !isName)
    throw unsupported(`reading an array of ${pathOfTable(written)} by its path, over rows that are given`);
  const path = { start: first.range.start, end: last.range.end, text: sql };
  // A path to an array keeps its last name, and so its alias.
  if (aliasOffset === undefined || names.length > length) return [path];
  return [path, { start: aliasOffset, end: aliasOffset, text: ` AS ${identifier(last.text)}` }];
}

/** The number of leading names that form the source, one or two. The others are an array in its rows. */
function namesOfSource(names: TablePath['names'], source: string): number {
  const wanted = pathOfTable(source).toLowerCase();
  const isSource = (length: number) =>
    names
      .slice(0, length)
      .map(({ text }) => text.toLowerCase())
      .join('.') === wanted;
  return [1, 2].find(isSource) ?? 0;
}

/** A path in a position where tables are read: `logs.edge_logs`, a CTE, an array of a table's rows. */
interface TablePath {
  readonly range: TextRange;
  readonly names: readonly PathName[];
  /** Where to insert an alias. Undefined if there is one. */
  readonly aliasOffset: number | undefined;
  /** Whether it has nothing but an alias: no sample, no time in the past. */
  readonly isBare: boolean;
}

interface PathName {
  /** Unquoted. */
  readonly text: string;
  readonly range: TextRange;
}

const bareFields = new Set(['parent', 'path_expr', 'alias']);

/** The paths that a text reads as tables, from its parse tree. */
function tablePaths(parsed: AnyNode): TablePath[] {
  return syntaxNodesOf('ast_table_path_expression_node', parsed).flatMap((node) => {
    // Otherwise it is UNNEST(...).
    if (!node.path_expr) return [];
    const range = placed(node.path_expr);
    const names = asList(asMessage(node.path_expr, 'path_expr').names, 'names').map((name) => ({
      text: String(asMessage(name, 'names').id_string),
      range: placed(name),
    }));
    const aliasOffset = node.alias ? undefined : (textRange(node.hint)?.end ?? range.end);
    const isBare = Object.keys(node).every((field) => bareFields.has(field) || !isPopulated(node[field]));
    return [{ range, names, aliasOffset, isBare }];
  });
}

function placed(node: unknown): TextRange {
  const range = textRange(node);
  if (range === undefined) throw new TypeError('The parse tree is malformed: a name without its place');
  return range;
}
