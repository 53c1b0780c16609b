import { type TextRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { syntaxNodesOf } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage } from '../../../sql/resolved/node.ts';

/** A path in a position where tables are read: `logs.edge_logs`, a CTE, an array of a table's rows. */
export interface TablePath {
  readonly range: TextRange;
  readonly names: readonly PathName[];
  /** Where to insert an alias. Undefined if there is one. */
  readonly aliasOffset: number | undefined;
}

interface PathName {
  /** Unquoted. */
  readonly text: string;
  readonly range: TextRange;
}

/** The paths that a text reads as tables, from its parse tree. */
export function tablePaths(parsed: AnyNode): TablePath[] {
  return syntaxNodesOf('ast_table_path_expression_node', parsed).flatMap((node) => {
    // Otherwise it is UNNEST(...).
    if (!node.path_expr) return [];
    const range = placed(node.path_expr);
    const names = asList(asMessage(node.path_expr, 'path_expr').names, 'names').map((name) => ({
      text: String(asMessage(name, 'names').id_string),
      range: placed(name),
    }));
    const aliasOffset = node.alias ? undefined : (textRange(node.hint)?.end ?? range.end);
    return [{ range, names, aliasOffset }];
  });
}

function placed(node: unknown): TextRange {
  const range = textRange(node);
  if (range === undefined) throw new TypeError('The parse tree is malformed: a name without its place');
  return range;
}
