import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clustering } from '../tables/clustering.ts';
import { blockRows } from '../tables/time-order.ts';

/** A part of a table, in the order of its rows. */
export interface ClusteredBlock {
  readonly rows: number;
  /** How many of them are in parts whose values change up and down, as those of rows in the order of time do. */
  readonly unclustered: number;
  /** About its first and last time, in microseconds since the epoch: a few late rows don't count. */
  readonly from: bigint;
  readonly to: bigint;
}

/** Times, in microseconds since the epoch. Undefined for no bound. */
export interface TimeRange {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** Rows that are looked at together: a vector of DuckDB. */
const partRows = 2048;
/** A part is unclustered if so many of its rows have a smaller value than the row before. */
const maxDescents = partRows / 64;
/** A block is written again when one in this many of its rows is unclustered: so a row is, about as many times at most. */
const rewriteShare = 4;

/** The blocks of a table: one scan of its clustering columns and timestamps, about 50 ns a row. */
export async function readClusteredBlocks(
  connection: DuckDBConnection,
  table: string,
  { key }: Clustering,
): Promise<ClusteredBlock[]> {
  const reader = await connection.runAndReadAll(
    `SELECT sum(rows), coalesce(sum(rows) FILTER (WHERE descents > ${maxDescents}), 0),
       epoch_us(quantile_disc(first, 0.1)), epoch_us(quantile_disc(last, 0.9))
     FROM (
       SELECT number // ${partRows} AS part, count(*) AS rows, count(*) FILTER (WHERE descends) AS descents,
         min("timestamp") AS first, max("timestamp") AS last
       FROM (SELECT rowid AS number, "timestamp", ${key} < lag(${key}) OVER () AS descends FROM ${table})
       GROUP BY part
     )
     GROUP BY part // ${blockRows / partRows} ORDER BY part // ${blockRows / partRows}`,
  );
  return reader.getRows().map(([rows, unclustered, from, to]) => ({
    rows: Number(rows),
    unclustered: Number(unclustered),
    from: BigInt(String(from)),
    to: BigInt(String(to)),
  }));
}

/** The times of rows to write again: those of blocks beside each other together. */
export function timesToCluster(blocks: readonly ClusteredBlock[]): TimeRange[] {
  const ranges: TimeRange[] = [];
  let isBeside = false;
  for (const [i, { rows, unclustered, ...block }] of blocks.entries()) {
    const isDue = unclustered * rewriteShare >= rows;
    if (isDue) {
      const last = isBeside ? ranges.pop() : undefined;
      const from = last === undefined ? (i === 0 ? undefined : block.from) : last.from;
      ranges.push({ from, to: i === blocks.length - 1 ? undefined : block.to });
    }
    isBeside = isDue;
  }
  return ranges;
}
