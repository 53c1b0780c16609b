import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asMessage, idOf, messages } from '../../../../sql/resolved/node.ts';
import { scanColumns } from '../tree/scan-columns.ts';

/** The lists with the columns of a scan, whether they are read or not. */
const offered = 'column_list';
/** Lists whose items define the columns in their fields `column`. */
const definitions = new Set(['expr_list', 'group_by_list', 'aggregate_list', 'assignment_list']);

/** The ids of the columns that a statement reads. Others are passed on at most. */
export function readColumns(statement: AnyNode): ReadonlySet<string> {
  const read = new Set<string>();
  visit(statement, false, read);
  const references = nodesOf('resolved_with_ref_scan_node', statement);
  const entries = nodesOf('resolved_with_scan_node', statement).flatMap((scan) =>
    messages(scan, 'with_entry_list'),
  );
  // The columns of an entry have other ids where it is read, which an entry after it may do.
  for (let before = -1; before < read.size; ) {
    before = read.size;
    for (const { with_query_name, with_subquery } of entries) {
      const columns = scanColumns(asMessage(with_subquery, 'with_subquery'));
      const readers = references.filter((each) => each.with_query_name === with_query_name).map(scanColumns);
      for (const [i, column] of columns.entries())
        if (readers.some((reader) => reader[i] !== undefined && read.has(idOf(reader[i]))))
          read.add(idOf(column));
    }
  }
  return read;
}

function visit(part: unknown, isDefinition: boolean, read: Set<string>): void {
  if (Array.isArray(part)) {
    for (const each of part) visit(each, isDefinition, read);
  } else if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) {
    const { column_id } = part as AnyNode;
    if (column_id !== undefined) read.add(String(column_id));
    for (const [field, value] of Object.entries(part)) {
      if (field === offered || (isDefinition && field === 'column')) continue;
      visit(value, definitions.has(field), read);
    }
  }
}
