import type { SqlType } from '../../../../sql/values/type.ts';
import type { TableScan } from './table-scans.ts';

const megabyte = 1024 * 1024;
const leastBilled = 10 * megabyte;

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
    (sum, bytes) => sum + Math.max(leastBilled, Math.ceil(bytes / megabyte) * megabyte),
    0,
  );
}
