import { type AnyNode, asMessage } from '../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { ServedTable } from './served-table.ts';

/** What a query reads of a table. */
export interface TableScan {
  readonly table: ServedTable;
  /** The columns, by name. */
  readonly columns: ReadonlySet<string>;
  /** How the query writes the table's name, backquotes and spaces taken out. */
  readonly written: ReadonlySet<string>;
}

/** The tables that the resolved statement of a query reads, each once, in the order of the tree. */
export function tableScans(
  statement: AnyNode,
  sql: string,
  tables: readonly ServedTable[],
): readonly TableScan[] {
  const bytes = Buffer.from(sql);
  const scans = new Map<ServedTable, { columns: Set<string>; written: Set<string> }>();
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
    const { columns, written } = scans.get(table) ?? { columns: new Set(), written: new Set() };
    for (const { name } of scan.columns('column_list')) columns.add(name);
    const range = asMessage(scan.raw('parse_location_range') ?? {}, 'parse_location_range');
    const name = bytes.subarray(Number(range.start ?? 0), Number(range.end ?? 0)).toString();
    written.add(name.replace(/[`\s]/g, ''));
    scans.set(table, { columns, written });
  };
  visit(statement);
  return [...scans].map(([table, scan]) => ({ table, ...scan }));
}

/**
 * A name that the query writes in another letter case than the table has: the analyzer doesn't care, but BigQuery's names of
 * datasets and tables are told apart by it. A name with a comment in it is taken for right.
 */
export function wronglyCased({ table, written }: TableScan): string | undefined {
  const name = `${table.projectId}.${table.datasetId}.${table.tableId}`;
  return [...written].find((text) => name.toLowerCase().endsWith(text.toLowerCase()) && !name.endsWith(text));
}
