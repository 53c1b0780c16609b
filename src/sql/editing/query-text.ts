import { type Token, tokens } from '../text/lexer.ts';

/** A query that may be incomplete, in a text such as a file. All offsets are UTF-16 units from the start of the text. */
export interface QueryText {
  readonly text: string;
  /** Where the query begins. */
  readonly start: number;
  readonly tokens: readonly QueryToken[];
  readonly root: Group;
}

/** A token with its text as written: that of a word is in upper case. */
export interface QueryToken extends Token {
  readonly written: string;
}

/** What stands between two round brackets, or a whole query. */
export interface Group {
  readonly kind: 'group';
  /** The offset after its opening bracket, and that of its closing bracket. An open group has no end. */
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
}

/** A token or what brackets enclose. */
export type Part = QueryToken | Group;

/** Deeper brackets are read as if they were not there. */
const maxDepth = 200;

/** @param start where the query begins */
export function queryText(text: string, start = 0): QueryText {
  const read = [...tokens(text.slice(start))].map((token) => {
    const place = { start: token.start + start, end: token.end + start };
    return { ...token, ...place, written: text.slice(place.start, place.end) };
  });
  return { text, start, tokens: read, root: groupOf(read) };
}

/** The tokens of a query as a tree of its round brackets. */
export function groupOf(query: Iterable<QueryToken>): Group {
  const root = { start: 0, parts: [] as Part[] };
  const open = [root];
  let tooDeep = 0;
  for (const token of query) {
    if (isSymbol(token, '(')) {
      if (open.length > maxDepth) tooDeep += 1;
      else open.push({ start: token.end, parts: [] });
    } else if (isSymbol(token, ')') && tooDeep > 0) tooDeep -= 1;
    else if (isSymbol(token, ')') && open.length > 1) close(token.start);
    else open.at(-1)?.parts.push(token);
  }
  while (open.length > 1) close(Number.POSITIVE_INFINITY);
  return { kind: 'group', ...root, end: Number.POSITIVE_INFINITY };

  function close(end: number) {
    const inner = open.pop() ?? root;
    open.at(-1)?.parts.push({ kind: 'group', ...inner, end });
  }
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
