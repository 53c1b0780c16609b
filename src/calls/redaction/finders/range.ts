/** A part of a text: from `start` to before `end`, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds the parts of a text to redact, from left to right, in linear time. */
export type Finder = (text: string) => readonly Range[];

export const nothing: readonly Range[] = [];

/** The replacement for redacted parts. Clients look for this text. */
export const replacement = 'REDACTED';

/** Sorts ranges and merges those that overlap. */
export function united(ranges: readonly Range[]): readonly Range[] {
  if (ranges.length < 2) return ranges;
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  const result: Range[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else if (range.end > last.end) result[result.length - 1] = { start: last.start, end: range.end };
  }
  return result;
}

/** Replaces ranges, which must be `united`, in a text. */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    pieces.push(text.slice(from, start), replacement);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}
