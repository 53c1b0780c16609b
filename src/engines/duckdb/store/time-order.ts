/** A stretch of a table, about as long as one of DuckDB's row groups, and the times in it. */
export interface Block {
  /** The first row id of the stretch. */
  readonly start: number;
  readonly rows: number;
  /** Microseconds since the epoch, the least and the greatest timestamp. */
  readonly min: bigint;
  readonly max: bigint;
}

/** Rows in a row group of DuckDB: what it can leave out of a scan by its least and greatest timestamp. */
export const blockRows = 122_880;

/**
 * How many blocks may hold one and the same time before a table counts as out of order. Each costs the
 * newest-first query about three milliseconds.
 */
const maxDepth = 4;

/** A run before the rewritten ones stays as it is when it is at least this many times as long as all of them. */
const growth = 2;

/**
 * From which row id on a table should be rewritten in timestamp order, or undefined while its order is good
 * enough for DuckDB to skip most of it.
 *
 * The table is seen as runs, stretches that are in order by themselves. Only its last runs are rewritten, up to
 * one that is long compared with them (as in a log-structured merge tree), so that a row is rewritten a number
 * of times that grows with the logarithm of the table's size, whatever the order and the portions in which
 * rows come.
 */
export function rewriteStart(blocks: readonly Block[]): number | undefined {
  if (overlapDepth(blocks) <= maxDepth) return undefined;
  const runs = sortedRuns(blocks);
  let first = runs.length - 1;
  let rows = runs[first]?.rows ?? 0;
  for (let next = runs[first - 1]; next !== undefined && next.rows < growth * rows; next = runs[first - 1]) {
    rows += next.rows;
    first -= 1;
  }
  return first === runs.length - 1 ? undefined : runs[first]?.start;
}

/** The greatest number of blocks that hold one and the same time. */
export function overlapDepth(blocks: readonly Block[]): number {
  const starts = blocks.map(({ min }) => min).sort(compareBigints);
  const ends = blocks.map(({ max }) => max).sort(compareBigints);
  let deepest = 0;
  let ended = 0;
  for (const [index, start] of starts.entries()) {
    // A block that ends just where another starts doesn't count as overlapping it.
    while ((ends[ended] ?? start) <= start && ended < index) ended += 1;
    deepest = Math.max(deepest, index + 1 - ended);
  }
  return deepest;
}

interface Run {
  readonly start: number;
  readonly rows: number;
}

function sortedRuns(blocks: readonly Block[]): Run[] {
  const runs: Run[] = [];
  let end: bigint | undefined;
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last !== undefined && end !== undefined && block.min >= end) {
      runs[runs.length - 1] = { start: last.start, rows: last.rows + block.rows };
    } else {
      runs.push({ start: block.start, rows: block.rows });
    }
    end = block.max;
  }
  return runs;
}

function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
