import { isName, isSymbol, type QueryToken, textOf } from './part.ts';

/** The names of a path up to a token, such as `t` and `id` for the last token of `t.id`. */
export function pathTo(tokens: readonly QueryToken[], token: QueryToken): readonly string[] {
  return namesBefore(tokens, tokens.indexOf(token) + 1);
}

/** The names of a path that ends before the token with this index, which a dot may precede. */
export function namesBefore(tokens: readonly QueryToken[], end: number): readonly string[] {
  const names: string[] = [];
  let at = end - 1;
  if (isSymbol(tokens[at], '.')) at -= 1;
  for (;;) {
    const token = tokens[at];
    if (!isName(token)) return names;
    names.unshift(textOf(token));
    if (!isSymbol(tokens[at - 1], '.')) return names;
    at -= 2;
  }
}
