import { sourceOfTable } from '../../../../definitions/sources/source.ts';
import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import { scannedBytes, type TableScan } from '../tables/table-scans.ts';
import type { Parameters } from './constants.ts';
import type { Partition, Partitions } from './partitions.ts';
import { prunedPartitions } from './pruning.ts';

/** What a query reads of a table. */
export interface ScanSize {
  readonly bytes: number;
  /** 0 for a table without partitions, and for tables of days. */
  readonly partitions: number;
}

interface SizeContext {
  readonly parameters: Parameters;
  readonly engine: Pick<DuckDbEngine, 'run'>;
  readonly partitions: Partitions;
  readonly rowCount: (source: string) => Promise<number>;
}

/** Counts what a query reads of a table: each column once in each partition in which any of its places reads it. */
export async function scanSize({ table, reads }: TableScan, context: SizeContext): Promise<ScanSize> {
  const all = await context.partitions.of(table);
  if (all === undefined) {
    const columns = new Set(reads.flatMap((read) => [...read.columns]));
    return { bytes: scannedBytes(table, columns, await context.rowCount(table.source)), partitions: 0 };
  }
  const columnsOf = new Map<Partition, Set<string>>();
  for (const { columns, conditions } of reads) {
    for (const partition of await prunedPartitions(table, all, conditions, context)) {
      columnsOf.set(partition, new Set([...(columnsOf.get(partition) ?? []), ...columns]));
    }
  }
  const sizes = [...columnsOf].map(([{ rows }, columns]) => scannedBytes(table, columns, rows));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { bytes, partitions: sourceOfTable(table.tableId).isWildcard ? 0 : columnsOf.size };
}
