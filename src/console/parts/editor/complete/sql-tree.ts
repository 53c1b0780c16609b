import type { Token } from './sql-tokens.ts';

/** What stands between two brackets, or the whole query. */
export interface Group {
  readonly kind: 'group';
  /** The place after its opening bracket. */
  readonly from: number;
  /** The place of its closing bracket; that of the end, if there is none. */
  readonly to: number;
  readonly parts: readonly Part[];
}

export type Part = Token | Group;

/** The gateway refuses queries with deeper brackets. */
const maxDepth = 200;

/** The parts of a query by round brackets. Brackets that are never closed end with the query. */
export function treeOf(tokens: readonly Token[]): Group {
  const root = { from: 0, parts: [] as Part[] };
  const open = [root];
  let tooDeep = 0;
  for (const token of tokens) {
    const inner = open.at(-1) ?? root;
    if (isSign(token, '(')) {
      if (open.length > maxDepth) tooDeep += 1;
      else open.push({ from: token.to, parts: [] });
    } else if (isSign(token, ')') && tooDeep > 0) tooDeep -= 1;
    else if (isSign(token, ')') && open.length > 1) close(inner, token.from);
    else inner.parts.push(token);
  }
  for (const inner of open.slice(1).reverse()) close(inner, Number.POSITIVE_INFINITY);
  return { kind: 'group', ...root, to: Number.POSITIVE_INFINITY };

  function close(inner: typeof root, to: number) {
    open.pop();
    open.at(-1)?.parts.push({ kind: 'group', ...inner, to });
  }
}

/** Whether a part is one of these words, in any letter case. */
export function isWord(part: Part | undefined, ...words: readonly string[]): boolean {
  return part?.kind === 'word' && words.includes(part.text.toLowerCase());
}

export function isSign(part: Part | undefined, sign: string): boolean {
  return part?.kind === 'sign' && part.text === sign;
}
