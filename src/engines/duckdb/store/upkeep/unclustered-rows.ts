import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clustering } from '../tables/clustering.ts';
import { blockRows } from '../tables/time-order.ts';

/** A part of a table, in the order of its rows: as many as a row group has, but the last part may have fewer. */
export interface ClusteredBlock {
  readonly rows: number;
  /** How many of them are in parts whose values change up and down, as those of rows in the order of time do. */
  readonly unclustered: number;
  /** The number of its first row, and that of the row after its last one. */
  readonly from: bigint;
  readonly to: bigint;
}

/** Rows that are looked at together: a vector of DuckDB. */
const partRows = 2048;
/** A part is unclustered if so many of its rows have a smaller value than the row before. */
const maxDescents = partRows / 64;
/** A block is written again when one in this many of its rows is unclustered: so a row is, about as many times at most. */
const rewriteShare = 4;

/** The blocks of a table: one scan of its clustering columns, about 50 ns a row. */
export async function readClusteredBlocks(
  connection: DuckDBConnection,
  table: string,
  { key }: Clustering,
): Promise<ClusteredBlock[]> {
  const reader = await connection.runAndReadAll(
    `SELECT sum(rows), coalesce(sum(rows) FILTER (WHERE descents > ${maxDescents}), 0), min(first), max(last) + 1
     FROM (
       SELECT number // ${partRows} AS part, count(*) AS rows, count(*) FILTER (WHERE descends) AS descents,
         min(number) AS first, max(number) AS last
       FROM (SELECT rowid AS number, ${key} < lag(${key}) OVER () AS descends FROM ${table})
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

/**
 * The blocks to write again, the last ones first: what is written before them has other numbers afterwards.
 *
 * @param withRest whether also those that don't fill a row group. DuckDB writes their rows to its log when it commits, for which
 *   queries wait, and a full row group before
 */
export function blocksToCluster(blocks: readonly ClusteredBlock[], withRest: boolean): ClusteredBlock[] {
  const isDue = ({ rows, unclustered }: ClusteredBlock) =>
    unclustered * rewriteShare >= rows && (withRest || rows === blockRows);
  return blocks.filter(isDue).toReversed();
}
