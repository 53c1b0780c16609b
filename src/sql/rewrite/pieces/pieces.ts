import type { Rewriting, Segment } from '../../text/rewriting.ts';

/** A part of a rewritten text: a part of the original, or generated text with its place in the original. */
export type Piece =
  | { readonly start: number; readonly end: number }
  | { readonly text: string; readonly at: number };

/** A rewritten text as its parts, which spaces separate. */
export type Pieces = readonly Piece[];

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
