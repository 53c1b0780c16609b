/** Whole numbers from one to another, which is excluded: times in microseconds, or what is counted along them. */
export interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

/** Ascending and disjoint, with a gap between each two. */
export type Spans = readonly Span[];

/** The numbers in any of these spans, which may be in any order and overlap. */
export function joinedSpans(spans: readonly Span[]): Spans {
  const joined: { from: bigint; to: bigint }[] = [];
  const ascending = spans
    .filter(({ from, to }) => from < to)
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  for (const { from, to } of ascending) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to) joined.push({ from, to });
    else if (to > last.to) last.to = to;
  }
  return joined;
}

/** The numbers in one of both, but not in the other. */
export function withoutSpans(spans: Spans, removed: Spans): Spans {
  const left: Span[] = [];
  let next = 0;
  for (const { from, to } of spans) {
    let start = from;
    while ((removed[next]?.to ?? to) < start) next++;
    for (let i = next; start < to; i++) {
      const hole = removed[i];
      if (hole === undefined || hole.from >= to) break;
      if (hole.from > start) left.push({ from: start, to: hole.from });
      if (hole.to > start) start = hole.to;
    }
    if (start < to) left.push({ from: start, to });
  }
  return left;
}

/** The numbers of the spans within one of them. */
export function spansWithin(spans: Spans, { from, to }: Span): Spans {
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const greatest = (a: bigint, b: bigint) => (a > b ? a : b);
  return spans
    .map((span) => ({ from: greatest(span.from, from), to: least(span.to, to) }))
    .filter((span) => span.from < span.to);
}

/** How many numbers the spans have together. */
export function lengthOfSpans(spans: Spans): bigint {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0n);
}
