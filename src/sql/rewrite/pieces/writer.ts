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

/** Where a part of the text is, and what it sees. */
export interface Scope {
  /** WITH clauses around it, outermost first. */
  readonly withs: readonly (() => Pieces)[];
  /** The WITH entries whose rows are values rather than records of columns. */
  readonly valueTables: Pick<ReadonlySet<string>, 'has'>;
  /** Whether it is within a subquery of an expression, which may refer to columns of an outer query. */
  readonly isInExpression: boolean;
}

/** A rewritten query. */
export interface RewrittenQuery {
  readonly pieces: Pieces;
  /** Whether its rows are values: SELECT AS STRUCT, SELECT AS VALUE, FROM UNNEST(...). */
  readonly isValueTable: boolean;
}

/** What all rewriting functions share. */
export interface Context {
  readonly source: Source;
  /** Whether the catalog has a table of this path, in lower case. */
  isTable(path: string): boolean;
  /** The names of a query's columns, empty for columns without a name. */
  columnsOf(query: Pieces, scope: Scope): readonly string[];
  /**
   * Text at the place of a token.
   *
   * @throws AnalyzerError if there is too much of it
   */
  generated(text: string, index: number): Piece;
  /**
   * Counts pieces that are copied.
   *
   * @throws AnalyzerError if too many are
   */
  copy(pieces: Pieces): void;
  /** Returns a name that the text doesn't contain. */
  newName(): string;
  query(range: Range, scope: Scope): RewrittenQuery;
  /** Whether the query that was rewritten last from this token is a value table. */
  isValueTable(from: number): boolean;
  expression(range: Range, scope: Scope): Pieces;
}
