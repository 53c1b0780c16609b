import { textRange } from '../../../../sql/plan/parse-tree.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { type ColumnCondition, conditionedScans } from './partition-conditions.ts';
import { usedColumnIds } from './read-columns.ts';
import type { ServedTable } from './served-table.ts';

/** What a query reads from a table. */
export interface TableScan {
  readonly table: ServedTable;
  /** What each place in the query reads. Empty if the table is named in vain. */
  readonly reads: readonly TableRead[];
  /** The table's name as written in the query, without backquotes and spaces. */
  readonly written: ReadonlySet<string>;
}

/** What one place in a query reads from a table. */
export interface TableRead {
  /** The columns, by name. */
  readonly columns: ReadonlySet<string>;
  /** By these, BigQuery chooses partitions. */
  readonly conditions: readonly ColumnCondition[];
}

/** The tables that a resolved query reads, without duplicates, in text order. */
export function tableScans(
  statement: AnyNode,
  sql: string,
  tables: readonly ServedTable[],
): readonly TableScan[] {
  const bytes = Buffer.from(sql);
  const used = usedColumnIds(statement);
  const scans = new Map<ServedTable, { reads: TableRead[]; written: Set<string> }>();
  const nodes = conditionedScans(statement).map(({ scan, conditions, isRead }) => ({
    scan: new ResolvedNode(scan),
    conditions,
    isRead,
    range: textRange(scan) ?? { start: 0, end: 0 },
  }));
  for (const { scan, conditions, isRead, range } of nodes.sort((a, b) => a.range.start - b.range.start)) {
    const table = tables[Number(scan.message('table').serialization_id) - 1];
    if (table === undefined) throw new Error('The resolved tree scans a table that is not in the catalog');
    const { reads, written } = scans.get(table) ?? { reads: [], written: new Set() };
    if (isRead) {
      const columns = scan.columns('column_list').filter(({ id }) => used.has(String(id)));
      reads.push({ columns: new Set(columns.map(({ name }) => name)), conditions });
    }
    written.add(bytes.subarray(range.start, range.end).toString().replace(/[`\s]/g, ''));
    scans.set(table, { reads, written });
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
export function scannedBytes(
  table: Pick<ServedTable, 'columns'>,
  columns: ReadonlySet<string>,
  rows: number,
): number {
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
