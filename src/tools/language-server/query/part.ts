import { type Token, tokens } from '../../../sql/text/lexer.ts';

/** What stands between two round brackets, or a whole query. */
export interface Group {
  readonly kind: 'group';
  /** The offset after its opening bracket, and that of its closing bracket. An open group extends to the end. */
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
}

/** A token with its text as written: that of a word is in upper case. */
export interface QueryToken extends Token {
  readonly written: string;
}

/** A token or what brackets enclose. */
export type Part = QueryToken | Group;

/** Deeper brackets are read as if they were not there. */
const maxDepth = 200;

/** The parts of a query, which may be incomplete. */
export function partsOf(query: Iterable<QueryToken>, length: number): Group {
  const root = { start: 0, parts: [] as Part[] };
  const open = [root];
  for (const token of query) {
    const inner = open.at(-1) ?? root;
    if (isSymbol(token, '(') && open.length <= maxDepth) open.push({ start: token.end, parts: [] });
    else if (isSymbol(token, ')') && open.length > 1) close(token.start);
    else inner.parts.push(token);
  }
  while (open.length > 1) close(length);
  return { kind: 'group', start: 0, end: length, parts: root.parts };

  function close(end: number) {
    const { start, parts } = open.pop() ?? root;
    open.at(-1)?.parts.push({ kind: 'group', start, end, parts });
  }
}

/**
 * The tokens of the query in an endpoint's file, with their places in the file.
 *
 * @param start where the query begins
 */
export function queryTokens(file: string, start: number): readonly QueryToken[] {
  return [...tokens(file.slice(start))].map((token) => {
    const place = { start: token.start + start, end: token.end + start };
    return { ...token, ...place, written: file.slice(place.start, place.end) };
  });
}

/** Whether a part is one of these keywords, given in upper case. */
export function isWord(part: Part | undefined, ...words: readonly string[]): boolean {
  return part?.kind === 'word' && words.includes(part.text);
}

export function isSymbol(part: Part | undefined, symbol: string): boolean {
  return part?.kind === 'symbol' && part.text === symbol;
}

/** Whether a part can be a name after a dot, where keywords have no meaning. */
export function isName(part: Part | undefined): part is QueryToken {
  return part?.kind === 'word' || part?.kind === 'name';
}

/** The name without its quotes. */
export function textOf({ kind, written }: QueryToken): string {
  return kind === 'name' ? written.replace(/^`|`$/g, '').replace(/\\(.)/g, '$1') : written;
}
