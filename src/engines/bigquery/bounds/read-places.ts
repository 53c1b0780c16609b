import { textRange } from '../../../sql/plan/parse-tree.ts';
import { visitReadParts } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asMessage } from '../../../sql/resolved/node.ts';

/** A place where a query reads a table. It is plain data. */
export interface ReadPlace {
  /** As the query names it. */
  readonly table: string;
  /** Where its name begins in the text, in UTF-8 bytes. Undefined if the text doesn't have it. */
  readonly start: number | undefined;
}

/** The places where a statement reads tables. Entries of WITH clauses that are never read don't count: BigQuery skips them. */
export function readPlaces(statement: AnyNode): readonly ReadPlace[] {
  const places: ReadPlace[] = [];
  visitReadParts(statement, (field, value) => {
    if (field !== 'resolved_table_scan_node') return;
    const scan = asMessage(value, field);
    const { full_name, name } = asMessage(scan.table, 'table');
    places.push({ table: String(full_name || name), start: textRange(scan)?.start });
  });
  return places;
}
