/** A part of a rewritten text: a part of the original, or generated text with its place in the original. */
export type Piece =
  | { readonly start: number; readonly end: number }
  | { readonly text: string; readonly at: number };

/** A rewritten text as its parts, which spaces separate. */
export type Pieces = readonly Piece[];

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

/** Joins pieces to a text. */
export function joined(
  original: string,
  pieces: Pieces,
): { readonly sql: string; readonly rewriting: Rewriting } {
  const bytesBefore = byteOffsets(original);
  const segments: Segment[] = [];
  const texts: string[] = [];
  let at = 0;
  for (const piece of pieces) {
    const isCopy = 'start' in piece;
    const text = isCopy ? original.slice(piece.start, piece.end) : piece.text;
    const length = Buffer.byteLength(text);
    segments.push({ at, length, from: bytesBefore(isCopy ? piece.start : piece.at), isCopy });
    texts.push(text);
    at += length + 1;
  }
  return { sql: texts.join(' '), rewriting: { original, segments } };
}

/** Maps UTF-16 offsets to bytes in UTF-8. */
function byteOffsets(text: string): (offset: number) => number {
  const known = new Map<number, number>([[0, 0]]);
  let last = 0;
  return (offset) => {
    let bytes = known.get(offset);
    if (bytes === undefined) {
      const from = last <= offset ? last : 0;
      bytes = (known.get(from) ?? 0) + Buffer.byteLength(text.slice(from, offset));
      known.set(offset, bytes);
      last = offset;
    }
    return bytes;
  };
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
