import type { Piece, Pieces } from './pieces.ts';

/** Separates lists of pieces by generated text. */
export function separated(lists: readonly Pieces[], separator: Piece): Pieces {
  return lists.flatMap((list, index) => (index === 0 ? list : [separator, ...list]));
}
