/** A part of a table, about as long as one of DuckDB's row groups, and its range of times. */
export interface Block {
  readonly rows: number;
  /** Microseconds since the epoch: the smallest and the largest timestamp. */
  readonly min: bigint;
  readonly max: bigint;
}

/** Rows in a row group of DuckDB, the unit that a scan can skip by its smallest and largest timestamp. */
export const blockRows = 122_880;

/**
 * How many blocks may contain the same time before a table is out of order. Neighbours overlap a little if rows come almost
 * in order. Each further block costs newest-first queries some milliseconds.
 */
export const maxDepth = 2;

/**
 * A table is rewritten when at least one in this many of its rows is outside its longest run in order. A table that grows by files
 * without any order is then rewritten whenever it has grown by a third. So each imported row costs three or four rewritten
 * ones, however large the table is.
 */
const rewriteShare = 4;

/**
 * Whether to rewrite a table in timestamp order, given its blocks in the order of its rows.
 *
 * @param depth how many blocks may contain the same time
 */
export function needsRewrite(blocks: readonly Block[], depth = maxDepth): boolean {
  if (overlapDepth(blocks) <= depth) return false;
  const total = blocks.reduce((sum, { rows }) => sum + rows, 0);
  return (total - longestRun(blocks)) * rewriteShare >= total;
}

/** The largest number of blocks that contain the same time. */
export function overlapDepth(blocks: readonly Block[]): number {
  const starts = blocks.map(({ min }) => min).sort(compareBigints);
  const ends = blocks.map(({ max }) => max).sort(compareBigints);
  let deepest = 0;
  let ended = 0;
  for (const [index, start] of starts.entries()) {
    // A block that ends exactly where another starts doesn't overlap it.
    while ((ends[ended] ?? start) <= start && ended < index) ended += 1;
    deepest = Math.max(deepest, index + 1 - ended);
  }
  return deepest;
}

/** Rows in the longest sequence of blocks in time order. */
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
