import { reserved } from '../text/identifier.ts';
import { isModified, modifiedAggregate } from './modified-aggregate.ts';
import { contentsOf } from './pieces/calls.ts';
import { isQuery, isSetOperator } from './pieces/is-query.ts';
import type { Pieces } from './pieces/pieces.ts';
import { callable } from './pieces/pieces.ts';
import { readSetOperator } from './pieces/set-operation.ts';
import type { Range, Source } from './pieces/source.ts';
import type { Context, Scope } from './pieces/writer.ts';
import { Writer } from './pieces/writer.ts';

/**
 * Rewrites an expression, or a query in standard syntax: queries in its brackets, chained function calls, BY NAME,
 * GROUP BY ALL, and WHERE and GROUP BY within aggregates.
 */
export function rewriteExpression(context: Context, range: Range, scope: Scope): Pieces {
  const { source } = context;
  const writer = new Writer(source);
  /** Where the operand before the next token begins among the pieces. */
  let operand: number | undefined;
  let clause: string | undefined;
  /** The SELECT whose GROUP BY may follow. */
  let select: number | undefined;
  let index = range.from;
  while (index < range.to) {
    const token = source.tokens[index];
    if (token === undefined) break;
    const close = source.closer(index);
    const isAfterDot = source.isSymbol(index - 1, '.');
    if (close !== undefined && close < range.to) {
      const isCall = operand !== undefined;
      const begin = writer.length;
      const inner = { from: index + 1, to: close };
      const isSubquery = token.text === '(' && isQuery(source, inner);
      if (token.text === '(' && operand !== undefined && !isSubquery && isModified(source, inner)) {
        const callee = writer.take(operand);
        const write = (part: Range) => rewriteExpression(context, part, scope);
        writer.add(modifiedAggregate(context, { callee, open: index }, write));
        index = close + 1;
        continue;
      }
      const isInExpression = scope.isInExpression || !(clause === 'FROM' || isOperand(context, range, index));
      writer.copy(index, true);
      writer.add(
        isSubquery
          ? context.query(inner, { ...scope, isInExpression }).pieces
          : rewriteExpression(context, inner, { ...scope, isInExpression: scope.isInExpression }),
      );
      writer.copy(close);
      if (!isCall) operand = begin;
      index = close + 1;
    } else if (
      token.text === '.' &&
      token.kind === 'symbol' &&
      operand !== undefined &&
      isChained(source, index)
    ) {
      const end = chainedCall(context, index, range, scope, writer, operand);
      index = end;
    } else if (isSetOperator(source, index)) {
      for (const end = readSetOperator(context, index).to; index < end; index++) writer.copy(index);
      operand = undefined;
      clause = undefined;
    } else if (source.areWords(index, 'GROUP', 'BY', 'ALL')) {
      if (select === undefined) throw source.unexpected(index);
      writer.add(groupByAll(context, select, index, scope));
      select = undefined;
      index += 3;
      operand = undefined;
    } else {
      if (
        source.isWord(
          index,
          'SELECT',
          'FROM',
          'JOIN',
          'ON',
          'WHERE',
          'GROUP',
          'HAVING',
          'QUALIFY',
          'ORDER',
          'LIMIT',
        )
      ) {
        if (!(token.text === 'FROM' && source.isWord(index - 1, 'DISTINCT'))) {
          clause = token.text === 'JOIN' ? 'FROM' : token.text;
          if (clause === 'SELECT') select = index;
        }
      }
      const isKeyword = token.kind === 'word' && reserved.has(token.text) && !isAfterDot;
      const begins = isKeyword
        ? callable.has(token.text) && (source.isSymbol(index + 1, '(') || source.isSymbol(index + 1, '['))
        : token.kind !== 'symbol';
      const continues = isAfterDot || (token.kind === 'symbol' && token.text === '.');
      if (!continues && begins) {
        operand = writer.length;
        writer.copy(index, true);
      } else {
        if (!continues && !(isKeyword && token.text === 'END')) operand = undefined;
        writer.copy(index);
      }
      index++;
    }
  }
  return writer.pieces;
}

/** Whether brackets are an operand of a set operation, or a whole query. */
function isOperand({ source }: Context, range: Range, index: number): boolean {
  if (index === range.from) return isQuery(source, range);
  return isSetOperator(source, index - 2) || source.isWord(index - 1, 'NAME', 'CORRESPONDING');
}

/** Whether a dot begins a chained call, as in `(x).f(y)`: what is before it isn't a name. */
export function isChained(source: Source, index: number): boolean {
  const before = source.tokens[index - 1];
  if (before === undefined || before.kind === 'word' || before.kind === 'name') return false;
  const next = source.tokens[index + 1];
  if (source.isSymbol(index + 1, '(')) return true;
  return (next?.kind === 'word' || next?.kind === 'name') && source.isSymbol(index + 2, '(');
}

/** Writes `(x).f(y)` as `f(x, y)`. Returns the index after it. */
function chainedCall(
  context: Context,
  dot: number,
  range: Range,
  scope: Scope,
  writer: Writer,
  operand: number,
): number {
  const { source } = context;
  const isQualified = source.isSymbol(dot + 1, '(');
  const name = isQualified
    ? { from: dot + 2, to: source.closer(dot + 1) ?? range.to }
    : { from: dot + 1, to: dot + 2 };
  const open = isQualified ? name.to + 1 : name.to;
  const close = source.closer(open);
  if (!source.isSymbol(open, '(') || close === undefined) throw source.unexpected(open);
  if (source.isSymbol(open + 1, '*')) throw source.unexpected(open + 1);
  const value = writer.take(operand);
  for (let index = name.from; index < name.to; index++) writer.copy(index);
  writer.copy(open);
  const isDistinct = source.isWord(open + 1, 'DISTINCT');
  if (isDistinct) writer.copy(open + 1);
  writer.add(value);
  const rest = { from: open + (isDistinct ? 2 : 1), to: close };
  if (rest.from < rest.to) {
    if (!source.isWord(rest.from, 'ORDER', 'LIMIT', 'IGNORE', 'RESPECT', 'HAVING'))
      writer.generate(',', rest.from);
    writer.add(rewriteExpression(context, rest, scope));
  }
  writer.copy(close);
  return close + 1;
}

/**
 * Writes GROUP BY ALL as the places of the SELECT list whose expressions neither aggregate nor are constant.
 *
 * @param select the index of SELECT
 * @param group the index of GROUP
 * @throws AnalyzerError if the text doesn't show which these are
 */
function groupByAll(context: Context, select: number, group: number, scope: Scope): Pieces {
  const { source } = context;
  const refused = (reason: string) =>
    source.error(group, `GROUP BY ALL ${reason} is not supported; name the columns`);
  const items = source.items(selectList(context, select, group));
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

function selectList({ source }: Context, select: number, group: number): Range {
  let from = select + 1;
  if (source.isWord(from, 'ALL', 'DISTINCT')) from++;
  if (source.isWord(from, 'AS') && source.isWord(from + 1, 'STRUCT', 'VALUE')) from += 2;
  const end = source.find(
    { from, to: group },
    (index) => source.isWord(index, 'FROM') && !source.isWord(index - 1, 'DISTINCT'),
  );
  return { from, to: end ?? group };
}
