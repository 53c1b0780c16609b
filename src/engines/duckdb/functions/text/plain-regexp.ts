import { parsePattern } from '../../../../sql/regexp/parse.ts';
import type { Node } from '../../../../sql/regexp/syntax.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { maxPlainLength, type PlainSearch, plainSearch } from './plain-search.ts';

/** A character, an anchor of the text, or something that can always match the empty text, such as `.*`. */
type Item = { readonly character: string } | 'start' | 'end' | 'optional';

const maxAlternatives = 8;

/**
 * The plain searches of which one must succeed if a regular expression matches some part of a text. Undefined if the
 * expression is not that simple, is long, or is invalid.
 */
export function plainSearches(pattern: string): readonly PlainSearch[] | undefined {
  if (pattern.length > maxPlainLength) return undefined;
  const alternatives = alternativesOf(pattern)?.map(searchOf);
  return alternatives?.every((search) => search !== undefined) ? alternatives : undefined;
}

function alternativesOf(pattern: string): Item[][] | undefined {
  try {
    return expand(parsePattern(pattern).root);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Every alternative of the match, as a sequence. Undefined if there are too many, or if they contain other nodes. */
function expand(node: Node): Item[][] | undefined {
  switch (node.kind) {
    case 'empty':
      return [[]];
    case 'character':
      // No text contains half a surrogate pair, but DuckDB would search for U+FFFD.
      return node.literal?.isWellFormed() ? [[{ character: node.literal }]] : undefined;
    case 'assertion':
      if (node.assertion === 'textStart') return [['start']];
      return node.assertion === 'textEnd' ? [['end']] : undefined;
    case 'repeat':
      return node.min === 0 ? [['optional']] : undefined;
    case 'group':
      return expand(node.inner);
    case 'choice':
      return few(node.options.reduce(alternatively, []));
    case 'sequence':
      return node.parts.reduce<Item[][] | undefined>(followedBy, [[]]);
  }
}

function alternatively(before: Item[][] | undefined, node: Node): Item[][] | undefined {
  const others = before && expand(node);
  return others && [...before, ...others];
}

function followedBy(before: Item[][] | undefined, node: Node): Item[][] | undefined {
  const after = before && expand(node);
  return after && few(before.flatMap((first) => after.map((second) => [...first, ...second])));
}

function few(alternatives: Item[][] | undefined): Item[][] | undefined {
  return alternatives && alternatives.length <= maxAlternatives ? alternatives : undefined;
}

/** A search may begin and end anywhere, so parts at both ends that can match the empty text are dropped. */
function searchOf(items: readonly Item[]): PlainSearch | undefined {
  let [first, last] = [0, items.length];
  while (items[first] === 'optional') first++;
  while (last > first && items[last - 1] === 'optional') last--;
  const start = first;
  while (items[first] === 'start') first++;
  const end = last;
  while (last > first && items[last - 1] === 'end') last--;
  let text = '';
  for (const item of items.slice(first, last)) {
    if (typeof item === 'string') return undefined;
    text += item.character;
  }
  return plainSearch(text, first > start, last < end);
}
