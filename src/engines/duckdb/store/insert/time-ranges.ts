import type { IngestBatch } from './ingest-batch.ts';
import { timesOf } from './row-keys.ts';

/** A range of timestamps, in microseconds since the epoch, with both ends. */
export interface TimeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Rows whose times were made may have come before with times this much earlier. */
const madeEarlier = 600_000_000n;

/** A batch over more than this time is split into its rows' times. */
const wide = 60_000_000n;

/** More ranges than this are joined where their gaps are smallest. */
const maxRanges = 8;

/**
 * The ranges of timestamps in which the store may have the rows of batches already. They are ascending and disjoint, and
 * few, and leave out long times between rows, so that a row from last month doesn't cause the month to be searched.
 */
export function timeRanges(batches: readonly IngestBatch[]): TimeRange[] {
  const ranges = batches.flatMap(rangesOf).sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joined: TimeRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to + wide) {
      joined[joined.length - 1] = { from: last.from, to: range.to > last.to ? range.to : last.to };
    } else joined.push(range);
  }
  return joined.length > maxRanges ? joinedAtSmallestGaps(joined) : joined;
}

function rangesOf(batch: IngestBatch): TimeRange[] {
  const { source, rows, minTimestamp, maxTimestamp, madeTimes } = batch;
  const earlier = madeTimes ? madeEarlier : 0n;
  if (maxTimestamp - minTimestamp <= wide) return [{ from: minTimestamp - earlier, to: maxTimestamp }];
  return rows
    .flatMap((part) => timesOf(source, part))
    .map((time) => ({ from: BigInt(time) * 1000n - earlier, to: BigInt(time) * 1000n + 999n }));
}

/** As many ranges as allowed: they stay apart at the widest gaps, and of equal gaps at the later ones. */
function joinedAtSmallestGaps(ranges: readonly TimeRange[]): TimeRange[] {
  const gaps = ranges
    .slice(1)
    .map(({ from }, i) => ({ before: i + 1, width: from - (ranges[i]?.to ?? from) }));
  gaps.sort((a, b) => (a.width > b.width ? -1 : a.width < b.width ? 1 : b.before - a.before));
  const starts = [0, ...gaps.slice(0, maxRanges - 1).map(({ before }) => before)].sort((a, b) => a - b);
  return starts.flatMap((start, i) => {
    const [first, last] = [ranges[start], ranges[(starts[i + 1] ?? ranges.length) - 1]];
    return first === undefined || last === undefined ? [] : [{ from: first.from, to: last.to }];
  });
}
