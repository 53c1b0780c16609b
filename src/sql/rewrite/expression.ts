import { reserved } from '../text/identifier.ts';
import { groupByAll } from './group-by-all.ts';
import type { Context, Scope } from './pieces/context.ts';
import { isQuery, isSetOperator } from './pieces/is-query.ts';
import type { Pieces } from './pieces/pieces.ts';
import { readSetOperator } from './pieces/set-operation.ts';
import type { Range, Source } from './pieces/source.ts';
import { callable } from './pieces/words.ts';
import { Writer } from './pieces/writer.ts';

/**
 * Rewrites an expression, or a query in standard syntax: queries in its brackets, chained function calls, BY NAME
 * and GROUP BY ALL.
 */
export function rewriteExpression(context: Context, range: Range, scope: Scope): Pieces {
  const { source } = context;
  const writer = new Writer(source);
  /** Where the operand before the next token begins among the pieces. */
  let operand: number | undefined;
  let clause: string | undefined;
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
      writer.add(groupByAll(context, range, index, scope));
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
