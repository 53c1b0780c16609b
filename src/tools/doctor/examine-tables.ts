import type { DuckDBConnection } from '@duckdb/node-api';
import { counted } from '../../base/text/counted.ts';
import { quoteIdentifier } from '../../engines/duckdb/dialect/duck-type.ts';
import { allTables, type NamedTable } from '../../engines/duckdb/store/database/held-files.ts';
import type { OnStep } from '../../rows/backup/steps.ts';

/** Consecutive places of rows in a table: all of them can be read, or none. */
interface RowRange {
  readonly from: number;
  readonly to: number;
  /** How many rows are there. Undefined if that can't be read either. */
  readonly rows: number | undefined;
  readonly isReadable: boolean;
}

/** Rows that are read at a time. */
const sliceRows = 1_000_000;
/** Rows of one of DuckDB's vectors: fewer can't be read by themselves. */
const vectorRows = 2048;

interface RangeOptions {
  readonly signal: AbortSignal;
  /** Called with the number of rows of each range. */
  readonly onRows: (rows: number) => void;
}

/**
 * Reads all values of a table, which has DuckDB compare the checksums of all its blocks, and finds the rows that can't be read.
 *
 * @throws DuckDB's error if nothing of the table can be read; the signal's reason
 */
async function* readableRanges(
  connection: DuckDBConnection,
  { sql }: NamedTable,
  { signal, onRows }: RangeOptions,
): AsyncGenerator<RowRange> {
  const reader = await connection.runAndReadAll(`SELECT * FROM ${sql} LIMIT 0`);
  const columns = reader.columnNames().map(quoteIdentifier).join(', ');
  const end = await one(connection, `SELECT coalesce(max(rowid) + 1, 0) FROM ${sql}`);
  const waiting: [from: number, to: number][] = [];
  for (let from = 0; from < end; from += sliceRows) waiting.push([from, Math.min(from + sliceRows, end)]);
  waiting.reverse();
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    signal.throwIfAborted();
    const [from, to] = range;
    const where = `FROM ${sql} WHERE rowid >= ${from} AND rowid < ${to}`;
    const rows = await one(connection, `SELECT count(*) ${where} AND hash(${columns}) IS NOT NULL`).catch(
      () => undefined,
    );
    const middle = from + Math.ceil((to - from) / 2 / vectorRows) * vectorRows;
    if (rows !== undefined) {
      onRows(rows);
      yield { from, to, rows, isReadable: true };
    } else if (middle < to) waiting.push([middle, to], [from, middle]);
    else {
      const lost = await one(connection, `SELECT count(*) ${where}`).catch(() => undefined);
      yield { from, to, rows: lost, isReadable: false };
    }
  }
}

async function one(connection: DuckDBConnection, sql: string): Promise<number> {
  const reader = await connection.runAndReadAll(sql);
  return Number(reader.value(0, 0));
}

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

/** Something that is wrong with a store or a backup. */
export interface Finding {
  /** What it is about: a name of a file, or a table. */
  readonly part: string;
  /** What is wrong, and what is lost by it. Sentences. */
  readonly problem: string;
  /** What a repair does about it. Undefined if nothing can be done here. */
  readonly repair: string | undefined;
}
