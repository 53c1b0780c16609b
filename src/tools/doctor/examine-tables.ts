import type { DuckDBConnection } from '@duckdb/node-api';
import { counted } from '../../base/text/counted.ts';
import { allTables, type NamedTable } from '../../engines/duckdb/store/database/held-files.ts';
import type { OnStep } from '../../rows/backup/steps.ts';
import type { Finding } from './finding.ts';
import { type RowRange, readableRanges } from './readable-ranges.ts';

/** What can be read of a table. */
export interface ExaminedTable {
  readonly table: NamedTable;
  readonly ranges: readonly RowRange[];
  /** Whether all of it can be read. */
  readonly isIntact: boolean;
  /** The number of its readable rows. */
  readonly rows: number;
  readonly lost: { readonly rows: number; readonly isAtLeast: boolean };
}

interface TableOptions {
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
}

/** Reads all values of all tables. */
export async function examineTables(
  connection: DuckDBConnection,
  { signal, onStep }: TableOptions,
): Promise<readonly ExaminedTable[]> {
  const tables = await allTables(connection);
  const sizes = await connection.runAndReadAll('SELECT sum(estimated_size)::BIGINT FROM duckdb_tables()');
  const total = Number(sizes.value(0, 0) ?? 0);
  let done = 0;
  onStep('verifying', 0, total);
  const examined: ExaminedTable[] = [];
  for (const table of tables) {
    const onRows = (rows: number) => {
      done += rows;
      onStep('verifying', Math.min(done, total), total);
    };
    examined.push(await examineTable(connection, table, { signal, onRows }));
  }
  return examined;
}

async function examineTable(
  connection: DuckDBConnection,
  table: NamedTable,
  options: Parameters<typeof readableRanges>[2],
): Promise<ExaminedTable> {
  const ranges: RowRange[] = [];
  let isListed = true;
  try {
    for await (const range of readableRanges(connection, table, options)) ranges.push(range);
  } catch (error) {
    options.signal.throwIfAborted();
    // Even how many rows there are can't be read.
    if (!(error instanceof Error)) throw error;
    isListed = false;
  }
  const sum = (of: readonly RowRange[]) => of.reduce((rows, range) => rows + (range.rows ?? 0), 0);
  const unreadable = ranges.filter(({ isReadable }) => !isReadable);
  return {
    table,
    ranges,
    isIntact: isListed && unreadable.length === 0,
    rows: sum(ranges) - sum(unreadable),
    lost: {
      rows: sum(unreadable),
      isAtLeast: !isListed || unreadable.some(({ rows }) => rows === undefined),
    },
  };
}

/** What is wrong with tables. */
export function tableFindings(tables: readonly ExaminedTable[], repair: string | undefined): Finding[] {
  return tables
    .filter(({ isIntact }) => !isIntact)
    .map(({ table, rows, lost }) => ({
      part: table.name,
      problem: `${lost.isAtLeast ? 'At least ' : ''}${counted(lost.rows, 'row')} can't be read, because blocks of the file are damaged. ${counted(rows, 'row')} can.`,
      repair,
    }));
}
