import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type Span, spansWithin } from '../../../base/forms/spans.ts';
import { flatTableSql } from '../store/tables/flat-layout.ts';
import { listTableSql } from '../store/tables/list-layout.ts';

/** How the rows of a source are spread over time, as of some seconds ago. */
export interface SourceTimes {
  readonly rows: number;
  /** From the oldest row to the newest one, in microseconds. */
  readonly times: Span;
}

/** Reads it. */
export async function sourceTimes(
  source: string,
  execute: (sql: string, take: (chunk: DuckDBDataChunk) => void) => Promise<void>,
): Promise<SourceTimes> {
  const selects = [flatTableSql(source), listTableSql(source)].map(
    (table) => `SELECT count(*) AS n, min("timestamp") AS a, max("timestamp") AS b FROM ${table}`,
  );
  let found: SourceTimes = { rows: 0, times: { from: 0n, to: 0n } };
  await execute(
    `SELECT CAST(sum(n) AS BIGINT), epoch_us(min(a)), epoch_us(max(b)) FROM (${selects.join(' UNION ALL ')})`,
    (chunk) => {
      const [rows, from, to] = chunk.getRowValues(0);
      if (typeof from === 'bigint' && typeof to === 'bigint')
        found = { rows: Number(rows), times: { from, to: to + 1n } };
    },
  );
  return found;
}

/** About how many rows have such times, as if they were evenly spread. */
export function rowsWithin({ rows, times }: SourceTimes, spans: readonly Span[]): number {
  const length = Number(times.to - times.from);
  if (length === 0) return 0;
  const within = spansWithin(spans, times).reduce((sum, { from, to }) => sum + Number(to - from), 0);
  return (rows * within) / length;
}

/** A second, and about a month. */
const [leastShift, greatestShift] = [20, 41];

/** The width of slices in which there are about so many rows, as the power of two. */
export function shiftFor({ rows, times }: SourceTimes, sliceRows: number): number {
  const width = (Number(times.to - times.from) * sliceRows) / Math.max(1, rows);
  return Math.min(greatestShift, Math.max(leastShift, Math.floor(Math.log2(Math.max(1, width)))));
}
