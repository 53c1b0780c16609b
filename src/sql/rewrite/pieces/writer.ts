import type { Piece, Pieces } from './pieces.ts';
import type { Range, Source } from './source.ts';

/** Collects pieces. Tokens that follow each other in the original are one piece, with what is between them. */
export class Writer {
  readonly #source: Source;
  readonly #pieces: Piece[] = [];
  #lastToken = -2;

  constructor(source: Source) {
    this.#source = source;
  }

  get length(): number {
    return this.#pieces.length;
  }

  get pieces(): Pieces {
    return this.#pieces;
  }

  /** Copies a token. With `isApart`, it begins a piece. */
  copy(index: number, isApart = false): void {
    const token = this.#source.tokens[index];
    if (token === undefined) return;
    const last = this.#pieces.at(-1);
    if (!isApart && this.#lastToken === index - 1 && last !== undefined && 'start' in last) {
      this.#pieces[this.#pieces.length - 1] = { start: last.start, end: token.end };
    } else {
      this.#pieces.push({ start: token.start, end: token.end });
    }
    this.#lastToken = index;
  }

  add(pieces: Pieces): void {
    for (const piece of pieces) this.#pieces.push(piece);
    this.#lastToken = -2;
  }

  generate(text: string, index: number): void {
    this.add([{ text, at: this.#source.offset(index) }]);
  }

  /** Removes the pieces from an index on. */
  take(from: number): Pieces {
    this.#lastToken = -2;
    return this.#pieces.splice(from);
  }
}

/** The tokens of a range as they are. */
export function copied(source: Source, { from, to }: Range): Pieces {
  const [first, last] = [source.tokens[from], source.tokens[to - 1]];
  return first && last && from < to ? [{ start: first.start, end: last.end }] : [];
}
