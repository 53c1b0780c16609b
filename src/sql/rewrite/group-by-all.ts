import { contentsOf } from './pieces/calls.ts';
import type { Context, Scope } from './pieces/context.ts';
import type { Pieces } from './pieces/pieces.ts';
import type { Range } from './pieces/source.ts';

/**
 * Writes GROUP BY ALL as the places of the SELECT list whose expressions neither aggregate nor are constant.
 *
 * @param range the tokens around it
 * @param group the index of GROUP
 * @throws AnalyzerError if the text doesn't show which these are
 */
export function groupByAll(context: Context, range: Range, group: number, scope: Scope): Pieces {
  const { source } = context;
  const refused = (reason: string) =>
    source.error(group, `GROUP BY ALL ${reason} is not supported; name the columns`);
  const items = source.items(selectList(context, range, group));
  if (scope.isInExpression) throw refused('in a subquery of an expression');
  const keys: number[] = [];
  let hasColumn = false;
  let isUncertain = false;
  let hasAggregate = false;
  items.forEach((item, place) => {
    if (isStar(context, item)) throw refused('with * in the SELECT list');
    const contents = contentsOf(source, item);
    hasAggregate ||= contents.aggregate !== undefined;
    if (contents.aggregate !== undefined || contents.window !== undefined) return;
    if (!contents.mayHaveColumn && !contents.hasSubquery) return;
    keys.push(place + 1);
    hasColumn ||= contents.hasColumn;
    isUncertain ||= !contents.hasColumn;
  });
  if (isUncertain && !hasColumn) throw refused('without a column in the SELECT list');
  if (keys.length === 0 && !hasAggregate) throw refused('without a column in the SELECT list');
  return keys.length === 0 ? [] : [{ text: `GROUP BY ${keys.join(', ')}`, at: source.offset(group) }];
}

function isStar({ source }: Context, { from, to }: Range): boolean {
  if (source.isSymbol(from, '*')) return true;
  return (
    source.find(
      { from: from + 1, to },
      (index) => source.isSymbol(index, '*') && source.isSymbol(index - 1, '.'),
    ) !== undefined
  );
}

function selectList({ source }: Context, range: Range, group: number): Range {
  let select: number | undefined;
  for (const index of source.level({ from: range.from, to: group })) {
    if (source.isWord(index, 'SELECT')) select = index;
  }
  if (select === undefined) throw source.unexpected(group);
  let from = select + 1;
  if (source.isWord(from, 'ALL', 'DISTINCT')) from++;
  if (source.isWord(from, 'AS') && source.isWord(from + 1, 'STRUCT', 'VALUE')) from += 2;
  const end = source.find(
    { from, to: group },
    (index) => source.isWord(index, 'FROM') && !source.isWord(index - 1, 'DISTINCT'),
  );
  return { from, to: end ?? group };
}
