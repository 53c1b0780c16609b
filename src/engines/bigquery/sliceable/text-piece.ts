import type { TextRange } from '../../../sql/plan/parse-tree.ts';
import { edited, type TextEdit } from '../text/text-edits.ts';

/** A part of a text that is composed of parts of another one. */
export type TextPiece = string | TextRange;

/** A text from its pieces, with the edits of the other text. */
export function composed(pieces: readonly TextPiece[], sql: string, edits: readonly TextEdit[]): string {
  const bytes = Buffer.from(sql);
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const own = edits.filter((edit) => isWithin(edit, piece));
      const moved = own.map(({ start, end, text }) => ({
        start: start - piece.start,
        end: end - piece.start,
        text,
      }));
      return edited(bytes.subarray(piece.start, piece.end).toString(), moved).text;
    })
    .join('');
}

/** Whether an edit, or another range, is in a range. */
export function isWithin({ start, end }: TextRange, range: TextRange): boolean {
  return start >= range.start && end <= range.end;
}
