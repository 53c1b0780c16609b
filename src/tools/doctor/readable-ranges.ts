import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../../engines/duckdb/dialect/duck-type.ts';
import type { NamedTable } from '../../engines/duckdb/store/database/held-files.ts';

/** Consecutive places of rows in a table: all of them can be read, or none. */
export interface RowRange {
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
export async function* readableRanges(
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
