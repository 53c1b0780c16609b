import type { AnyNode } from '../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { ServedTable } from './served-table.ts';

/** What a query reads of a table: its columns, by name. */
export interface TableScan {
  readonly table: ServedTable;
  readonly columns: ReadonlySet<string>;
}

/** The tables that a resolved statement reads, each once, in the order of the tree. */
export function tableScans(statement: AnyNode, tables: readonly ServedTable[]): readonly TableScan[] {
  const scans = new Map<ServedTable, Set<string>>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const element of node) visit(element);
      return;
    }
    for (const [field, child] of Object.entries(node)) {
      if (field === 'resolved_table_scan_node') add(child);
      visit(child);
    }
  };
  const add = (node: AnyNode) => {
    const scan = new ResolvedNode(node);
    const table = tables[Number(scan.message('table').serialization_id) - 1];
    if (table === undefined) throw new Error('The resolved tree scans a table that is not in the catalog');
    const columns = scans.get(table) ?? new Set();
    for (const { name } of scan.columns('column_list')) columns.add(name);
    scans.set(table, columns);
  };
  visit(statement);
  return [...scans].map(([table, columns]) => ({ table, columns }));
}
