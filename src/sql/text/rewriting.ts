/** A part of a rewritten text, in UTF-8 bytes, and where the original has it. */
export interface Segment {
  readonly at: number;
  readonly length: number;
  readonly from: number;
  /** Whether it is the original's text. Otherwise all of it maps to `from`. */
  readonly isCopy: boolean;
}

/** A rewritten text with its map to the original. */
export interface Rewriting {
  readonly original: string;
  readonly segments: readonly Segment[];
}

/** Maps a byte of the rewritten text to the original. Undefined for a byte before the rewritten text. */
export function originalByte({ segments }: Rewriting, byteOffset: number): number | undefined {
  const segment = segments.findLast(({ at }) => at <= byteOffset);
  if (segment === undefined) return undefined;
  const within = Math.min(byteOffset - segment.at, segment.length);
  return segment.isCopy ? segment.from + within : segment.from;
}

/** The map of a text that begins `bytes` later. */
export function shifted({ original, segments }: Rewriting, bytes: number): Rewriting {
  return { original, segments: segments.map((segment) => ({ ...segment, at: segment.at + bytes })) };
}

/** The map of a text that was rewritten twice: of the second rewriting's text to the first one's original. */
export function composed(first: Rewriting, second: Rewriting): Rewriting {
  const segments = second.segments.flatMap((segment) => {
    if (!segment.isCopy) return [{ ...segment, from: originalByte(first, segment.from) ?? 0 }];
    const end = segment.from + segment.length;
    // Where the first rewriting's parts begin within this one.
    const starts = first.segments.map(({ at }) => at).filter((at) => at > segment.from && at < end);
    return [segment.from, ...starts].map((from, index) => {
      const source = first.segments.findLast(({ at }) => at <= from);
      return {
        at: segment.at + from - segment.from,
        length: (starts[index] ?? end) - from,
        from: originalByte(first, from) ?? 0,
        isCopy: source?.isCopy === true,
      };
    });
  });
  return { original: first.original, segments };
}
