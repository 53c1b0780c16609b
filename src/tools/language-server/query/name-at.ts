import { isName, isSymbol, type QueryToken, textOf } from './part.ts';
import { element } from './read-parts.ts';

/** The names of a path up to a token, such as `t` and `id` for the last token of `t.id`, and `element` for subscripts. */
export function pathTo(tokens: readonly QueryToken[], token: QueryToken): readonly string[] {
  return namesBefore(tokens, tokens.indexOf(token) + 1);
}

/** The names of a path that ends before the token with this index, which a dot may precede. None for fields of a call. */
export function namesBefore(tokens: readonly QueryToken[], end: number): readonly string[] {
  const reversed: string[] = [];
  let at = end - 1;
  if (isSymbol(tokens[at], '.')) at -= 1;
  for (;;) {
    while (isSymbol(tokens[at], ']')) {
      reversed.push(element);
      at = startOfSubscript(tokens, at) - 1;
    }
    const token = tokens[at];
    // A field of something other than a name, such as a call.
    if (!isName(token)) return [];
    reversed.push(textOf(token));
    if (!isSymbol(tokens[at - 1], '.')) return reversed.reverse();
    at -= 2;
  }
}

/** The index of the bracket that the one with this index closes. */
function startOfSubscript(tokens: readonly QueryToken[], end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    if (isSymbol(tokens[at], ']')) depth += 1;
    else if (isSymbol(tokens[at], '[')) depth -= 1;
    if (depth === 0) return at;
  }
  return 0;
}
