import {
  joinedSpans,
  lengthOfSpans,
  type Span,
  type Spans,
  spansWithin,
  withoutSpans,
} from '../../../base/forms/spans.ts';
import { firstMicros, lastMicros } from '../dialect/literal.ts';
import type { EmittedSlices } from '../emit/emitter/context.ts';
import type { Changing } from '../store/transactions/changing-rows.ts';
import { type SliceSet, timesOfSlices, touchedSlices, wholeSlices } from './slice-set.ts';

/** So many ranges of times are read from rows, each by a SELECT of its own. */
const maxRanges = 4;

/** The times that a query reads, in microseconds. Empty if no time meets its bounds. */
export function windowOf(bounds: EmittedSlices['bounds']): Span {
  let [from, to] = [firstMicros, lastMicros + 1n];
  for (const { operator, micros } of bounds) {
    const time = BigInt(/-?\d+/.exec(micros)?.[0] ?? '');
    const least = operator === '>' ? time + 1n : time;
    const end = operator === '<' ? time : time + 1n;
    if (operator !== '<' && operator !== '<=' && least > from) from = least;
    if (operator !== '>' && operator !== '>=' && end < to) to = end;
  }
  return from < to ? { from, to } : { from, to: from };
}

/** What a run reads of a set. */
export interface SlicePlan {
  /** Kept slices. */
  readonly kept: Spans;
  /** Slices that could be kept, but aren't. */
  readonly missing: Spans;
  /** The times that are read from rows, in microseconds. */
  readonly rows: Spans;
}

/**
 * Divides the times of a query into slices and the rest.
 *
 * @param changes of rows since before the run's snapshot: their slices aren't read
 * @param end slices from this time on aren't kept: their rows are still arriving
 */
export function slicePlan(
  set: Pick<SliceSet, 'slices' | 'shift'>,
  window: Span,
  changes: readonly Changing[],
  end: bigint,
): SlicePlan {
  const { shift } = set;
  const whole = [wholeSlices({ from: window.from, to: end < window.to ? end : window.to }, shift)];
  const slices = whole.filter(({ from, to }) => from < to);
  const changed = changedSlices(changes, shift);
  let kept = withoutSpans(
    slices.flatMap((span) => spansWithin(set.slices, span)),
    changed,
  );
  const missing = withoutSpans(withoutSpans(slices, kept), changed);
  let rows = withoutSpans(window.from < window.to ? [window] : [], timesOfSlices(kept, shift));
  if (rows.length > maxRanges) {
    rows = joinedRanges(rows);
    kept = withoutSpans(kept, joinedSpans(rows.map((range) => touchedSlices(range, shift))));
    rows = withoutSpans([window], timesOfSlices(kept, shift));
  }
  return { kept, missing, rows };
}

/** The slices whose rows change. */
export function changedSlices(changes: readonly Changing[], shift: number): Spans {
  const all = { from: firstMicros, to: lastMicros + 1n };
  return joinedSpans(
    changes.flatMap(({ spans }) => (spans ?? [all]).map((span) => touchedSlices(span, shift))),
  );
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

/** How many slices there are, of those that may have rows. */
export function countSlices(slices: Spans, times: Span, shift: number): number {
  return Number(lengthOfSpans(spansWithin(slices, touchedSlices(times, shift))));
}
