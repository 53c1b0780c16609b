/** A stretch of a table, about as long as one of DuckDB's row groups, and the times in it. */
export interface Block {
  readonly rows: number;
  /** Microseconds since the epoch, the least and the greatest timestamp. */
  readonly min: bigint;
  readonly max: bigint;
}

/** Rows in a row group of DuckDB: what it can leave out of a scan by its least and greatest timestamp. */
export const blockRows = 122_880;

/**
 * How many blocks may hold one and the same time before a table counts as out of order. Neighbours overlap a
 * little wherever rows come almost in order; each further block costs newest-first queries some milliseconds.
 */
const maxDepth = 2;

/**
 * A table is rewritten when at least one in so many of its rows stands outside its longest run in order. A table
 * that grows by files in no order at all is then rewritten whenever it has grown by a third, so that importing a
 * row costs three or four rewritten ones however large the table is.
 */
const rewriteShare = 4;

/** Whether a table, given by its blocks in the order of its rows, should be rewritten in timestamp order. */
export function needsRewrite(blocks: readonly Block[]): boolean {
  if (overlapDepth(blocks) <= maxDepth) return false;
  const total = blocks.reduce((sum, { rows }) => sum + rows, 0);
  return (total - longestRun(blocks)) * rewriteShare >= total;
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

/** Rows in the longest stretch of blocks that follow one another in time. */
function longestRun(blocks: readonly Block[]): number {
  let longest = 0;
  let run = 0;
  let end: bigint | undefined;
  for (const { rows, min, max } of blocks) {
    run = end !== undefined && min >= end ? run + rows : rows;
    longest = Math.max(longest, run);
    end = max;
  }
  return longest;
}

function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
