import { joinedSpans, type Span, type Spans, withoutSpans } from '../../../base/forms/spans.ts';
import { firstMicros, lastMicros } from '../dialect/literal.ts';
import type { EmittedSlices } from '../emit/emitter/context.ts';
import type { Changing } from '../store/transactions/changing-rows.ts';
import { type Level, type Seen, type SliceSet, wholeSlices } from './slice-set.ts';

/** So many ranges of times are read from rows, each by a SELECT of its own. */
const maxRanges = 4;

/** The times that a query reads, in microseconds. Empty if no time meets its bounds. */
export function windowOf(bounds: EmittedSlices['bounds']): Span {
  let { from, to } = allTimes;
  for (const { operator, micros } of bounds) {
    const time = BigInt(/-?\d+/.exec(micros)?.[0] ?? '');
    const least = operator === '>' ? time + 1n : time;
    const end = operator === '<' ? time : time + 1n;
    if (operator !== '<' && operator !== '<=' && least > from) from = least;
    if (operator !== '>' && operator !== '>=' && end < to) to = end;
  }
  return from < to ? { from, to } : { from, to: from };
}

export const allTimes: Span = { from: firstMicros, to: lastMicros + 1n };

/** The times of rows that change. */
export function changedTimes(changes: readonly Changing[]): Spans {
  return joinedSpans(changes.flatMap(({ spans }) => spans ?? [allTimes]));
}

/** What a run reads, in microseconds. */
export interface SlicePlan {
  /** The times of kept slices. */
  readonly kept: Spans;
  /** The times that are read from rows. */
  readonly rows: Spans;
}

/** Divides the times of a query into those of kept slices and the rest. */
export function slicePlan(set: Pick<SliceSet, 'times'>, seen: Seen): SlicePlan {
  const { within, changed } = seen;
  const whole = within.from < within.to ? [within] : [];
  const kept = set.times(seen);
  const rows = withoutSpans(whole, kept);
  if (rows.length <= maxRanges) return { kept, rows };
  const joined = joinedRanges(rows);
  return { kept: set.times({ ...seen, changed: joinedSpans([...changed, ...joined]) }), rows: joined };
}

/** The ranges, joined over the shortest gaps between them. */
function joinedRanges(ranges: Spans): Spans {
  const gaps = ranges
    .slice(1)
    .map(({ from }, i) => ({ before: i + 1, length: from - (ranges[i]?.to ?? from) }));
  const longest = gaps
    .sort((a, b) => (a.length > b.length ? -1 : 1))
    .slice(0, maxRanges - 1)
    .map(({ before }) => before)
    .sort((a, b) => a - b);
  return [0, ...longest].map((start, i) => ({
    from: ranges[start]?.from ?? 0n,
    to: ranges[(longest[i] ?? ranges.length) - 1]?.to ?? 0n,
  }));
}

/** Of slices, so many are as wide as one of the next level. */
const levelBits = 6;
/** A second. Rows younger than this are still arriving. */
export const leastShift = 20;

/**
 * The slices to make in times that have none: wide ones where they are whole, and narrower ones after them where there are still many
 * rows. At the beginning of a query's times, which move with the clock, there are only wide ones.
 *
 * @param arrived the times of the query whose rows have arrived
 * @param areMany whether rows of some times are too many to be read each time
 */
export function slicesToMake(
  missing: Spans,
  arrived: Span,
  shift: number,
  areMany: (times: Spans) => boolean,
): readonly Level[] {
  const levels: Level[] = [];
  let left = missing;
  for (let level = shift; ; level = Math.max(leastShift, level - levelBits)) {
    const times = left.map((span) => wholeSlices(span, level)).filter(({ from, to }) => from < to);
    if (times.length > 0) levels.push({ shift: level, times });
    left = withoutSpans(left, times).filter(({ from }) => from !== arrived.from);
    if (level === leastShift || !areMany(left)) return levels;
  }
}
