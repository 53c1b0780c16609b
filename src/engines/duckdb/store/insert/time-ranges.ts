/** A range of timestamps, in microseconds since the epoch, with both ends. */
export interface TimeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Rows whose times were made may have come before with times this much earlier. */
const madeEarlier = 600_000_000n;

/** Times that are less apart are one range. */
const wide = 60_000_000n;

/** More ranges than this are joined where their gaps are smallest. */
const maxRanges = 8;

/**
 * The ranges of time in which the store may have rows already. They are ascending and disjoint, and few, and leave out long times
 * between rows, so that a row from last month doesn't cause the month to be searched.
 *
 * @param times those of the rows, in microseconds since the epoch
 * @param madeTimes whether some are times of arrival: if the rows are sent again, these are later
 */
export function rangesOfTimes(times: BigInt64Array, madeTimes: boolean): TimeRange[] {
  const earlier = madeTimes ? madeEarlier : 0n;
  const ranges: TimeRange[] = [];
  let last: { from: bigint; to: bigint } | undefined;
  for (const time of times.toSorted()) {
    if (last !== undefined && time - earlier <= last.to + wide) last.to = time;
    else {
      last = { from: time - earlier, to: time };
      ranges.push(last);
    }
  }
  return few(ranges);
}

/** The ranges of several batches as those of one. */
export function joinRanges(batches: readonly (readonly TimeRange[])[]): readonly TimeRange[] {
  const [only] = batches;
  if (batches.length === 1 && only !== undefined) return only;
  const joined: TimeRange[] = [];
  for (const range of batches.flat().sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to + wide) {
      joined[joined.length - 1] = { from: last.from, to: range.to > last.to ? range.to : last.to };
    } else joined.push(range);
  }
  return few(joined);
}

function few(ranges: TimeRange[]): TimeRange[] {
  return ranges.length > maxRanges ? joinedAtSmallestGaps(ranges) : ranges;
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
