import { textRange } from '../../../../sql/plan/parse-tree.ts';
import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import type { ServedTable } from './served-table.ts';

/** What a query reads from a table. */
export interface TableScan {
  readonly table: ServedTable;
  /** The columns, by name. */
  readonly columns: ReadonlySet<string>;
  /** The table's name as written in the query, without backquotes and spaces. */
  readonly written: ReadonlySet<string>;
}

/** The tables that a resolved query reads, without duplicates, in text order. */
export function tableScans(
  statement: AnyNode,
  sql: string,
  tables: readonly ServedTable[],
): readonly TableScan[] {
  const bytes = Buffer.from(sql);
  const scans = new Map<ServedTable, { columns: Set<string>; written: Set<string> }>();
  const nodes = nodesOf('resolved_table_scan_node', statement).map((node) => ({
    scan: new ResolvedNode(node),
    range: textRange(node) ?? { start: 0, end: 0 },
  }));
  for (const { scan, range } of nodes.sort((a, b) => a.range.start - b.range.start)) {
    const table = tables[Number(scan.message('table').serialization_id) - 1];
    if (table === undefined) throw new Error('The resolved tree scans a table that is not in the catalog');
    const { columns, written } = scans.get(table) ?? { columns: new Set(), written: new Set() };
    for (const { name } of scan.columns('column_list')) columns.add(name);
    written.add(bytes.subarray(range.start, range.end).toString().replace(/[`\s]/g, ''));
    scans.set(table, { columns, written });
  }
  return [...scans].map(([table, scan]) => ({ table, ...scan }));
}

/**
 * Finds a name that differs from the table's only in letter case: the analyzer ignores case, but BigQuery's names of
 * datasets and tables are case-sensitive. A name that contains a comment is accepted.
 */
export function wronglyCased({ table, written }: TableScan): string | undefined {
  const name = `${table.projectId}.${table.datasetId}.${table.tableId}`;
  return [...written].find((text) => name.toLowerCase().endsWith(text.toLowerCase()) && !name.endsWith(text));
}

const megabyte = 1024 * 1024;
const minBilledBytes = 10 * megabyte;

/** Estimated bytes of values that BigQuery measures: every text counts 30 bytes, every list one element. */
function valueBytes(type: SqlType): number {
  switch (type.kind) {
    case 'ARRAY':
      return valueBytes(type.element);
    case 'STRUCT':
      return type.fields.reduce((sum, field) => sum + valueBytes(field.type), 0);
    case 'BOOL':
      return 1;
    case 'NUMERIC':
    case 'INTERVAL':
      return 16;
    case 'BIGNUMERIC':
      return 32;
    case 'STRING':
    case 'BYTES':
    case 'JSON':
    case 'GEOGRAPHY':
      return 2 + 30;
    default:
      return 8;
  }
}

/**
 * The logical size of a number of rows of a table's columns, by BigQuery's sizes of types, with texts and lists
 * estimated.
 */
export function scannedBytes({ table, columns }: Pick<TableScan, 'table' | 'columns'>, rows: number): number {
  const lowered = new Set([...columns].map((name) => name.toLowerCase()));
  const read = table.columns.filter(({ name }) => lowered.has(name.toLowerCase()));
  return rows * read.reduce((sum, { type }) => sum + valueBytes(type), 0);
}

/**
 * The bytes billed for the bytes read from each table: rounded up to megabytes, and at least ten megabytes per table.
 *
 * Source: https://cloud.google.com/bigquery/pricing#on_demand_pricing
 */
export function billedBytes(perTable: readonly number[]): number {
  return perTable.reduce(
    (sum, bytes) => sum + Math.max(minBilledBytes, Math.ceil(bytes / megabyte) * megabyte),
    0,
  );
}
