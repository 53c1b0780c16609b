import { isWord, type Part } from './part.ts';
import { aliasAt, itemsOf, splitAt } from './read-parts.ts';
import type { Relation } from './relation.ts';
import { columnsOfList } from './select-list.ts';

/** The parts of a query before its first pipe operator, and those of each operator. */
export function pipeOperators(parts: readonly Part[]): readonly [readonly Part[], ...(readonly Part[])[]] {
  const [query = [], ...operators] = splitAt(parts, '|>');
  return [query, ...operators];
}

/**
 * What can be read after a pipe operator, other than a join. Those that neither add nor replace columns change nothing;
 * nor do DROP, RENAME, PIVOT and UNPIVOT here.
 *
 * @param own what could be read before
 * @param outer what the queries around this one read
 */
export function afterPipeOperator(
  [operator, ...list]: readonly Part[],
  own: readonly Relation[],
  outer: readonly Relation[],
): readonly Relation[] {
  const names = { relations: [...own, ...outer], own };
  const unnamed = (parts: readonly Part[]) => ({ name: '', fields: columnsOfList(parts, names) });
  if (isWord(operator, 'AS')) {
    return [{ name: aliasAt(list, 0).alias ?? '', fields: own.flatMap(({ fields }) => fields) }];
  }
  if (isWord(operator, 'SELECT')) return [unnamed(list)];
  if (isWord(operator, 'EXTEND', 'WINDOW')) return [...own, unnamed(list)];
  if (!isWord(operator, 'AGGREGATE')) return own;
  const group = list.findIndex((part) => isWord(part, 'GROUP'));
  const by = list.findIndex((part) => isWord(part, 'BY'));
  const keys = by < 0 ? [] : itemsOf(list.slice(by + 1)).map(withoutOrder);
  const values = itemsOf(list.slice(0, group < 0 ? undefined : group)).map(withoutOrder);
  return [...keys, ...values].map(unnamed);
}

/** An item of AGGREGATE without the order that may follow it. */
function withoutOrder(item: readonly Part[]): readonly Part[] {
  const end = item.findIndex((part) => isWord(part, 'ASC', 'DESC'));
  return end < 0 ? item : item.slice(0, end);
}
