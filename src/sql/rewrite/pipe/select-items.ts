import { identifier } from '../../text/identifier.ts';
import { contentsOf } from '../pieces/calls.ts';
import type { Pieces } from '../pieces/pieces.ts';
import { clauseWords, separated } from '../pieces/pieces.ts';
import type { Range, Source } from '../pieces/source.ts';
import { copied } from '../pieces/writer.ts';
import type { Pipeline, State } from './state.ts';

/** The items of a pipe operator, and its WINDOW clause. */
interface Items {
  readonly items: readonly Range[];
  readonly window: Pieces;
  /** Whether one of them calls a window function. */
  readonly hasWindowFunction: boolean;
}

/**
 * Splits the items of SELECT, EXTEND, SET and others.
 *
 * @param operator its name in errors
 * @throws AnalyzerError for another clause among them, and for aggregate functions
 */
export function readItems(pipeline: Pipeline, range: Range, operator: string): Items {
  const { source } = pipeline.context;
  refuseClauses(source, range, new Set([...clauseWords].filter((word) => word !== 'WINDOW')));
  const start = source.find(range, (index) => source.isWord(index, 'WINDOW'));
  const list = { from: range.from, to: start ?? range.to };
  if (list.from >= list.to) throw source.unexpected(list.from);
  const items = source.items(list);
  let hasWindowFunction = false;
  for (const item of items) {
    if (item.from >= item.to) throw source.unexpected(item.to);
    hasWindowFunction ||= withoutAggregates(pipeline, item, operator).hasWindowFunction;
  }
  const window =
    start === undefined
      ? []
      : pipeline.context.expression({ from: start, to: range.to }, inExpression(pipeline));
  return { items, window, hasWindowFunction };
}

/**
 * Refuses aggregate functions in an expression, also within window functions.
 *
 * @throws AnalyzerError
 */
export function withoutAggregates(
  { context: { source } }: Pipeline,
  range: Range,
  operator: string,
): { readonly hasWindowFunction: boolean } {
  const { aggregate, window } = contentsOf(source, range);
  if (aggregate === undefined) return { hasWindowFunction: window !== undefined };
  const name = source.nameOf(aggregate).toUpperCase();
  throw source.error(aggregate, `Aggregate function ${name} not allowed in pipe ${operator} clause`);
}

/** Refuses clauses of standard syntax in a pipe operator. */
export function refuseClauses(source: Source, range: Range, words: ReadonlySet<string>): void {
  const found = source.find(range, (index) => {
    const token = source.tokens[index];
    if (token?.kind !== 'word' || !words.has(token.text) || source.isSymbol(index - 1, '.')) return false;
    if (token.text === 'FROM') return !source.isWord(index - 1, 'DISTINCT');
    // * EXCEPT (...)
    return token.text !== 'EXCEPT' || !source.isSymbol(index - 1, '*');
  });
  if (found !== undefined) throw source.unexpected(found);
}

/** The scope of expressions. */
export function inExpression({ scope }: Pipeline): Pipeline['scope'] {
  return { ...scope, isInExpression: true };
}

/** Items of a SELECT list. */
export function listOf(pipeline: Pipeline, items: readonly Range[]): Pieces {
  return separated(
    items.map((item) => pipeline.context.expression(item, inExpression(pipeline))),
    pipeline.generate(','),
  );
}

/** Whether an item is `*`, with EXCEPT or REPLACE. */
export function isStar({ context: { source } }: Pipeline, { from }: Range): boolean {
  return source.isSymbol(from, '*');
}

/** A list in which `*` leaves out hidden columns. */
export function listWithoutHidden(pipeline: Pipeline, state: State, items: readonly Range[]): Pieces {
  const { context, generate } = pipeline;
  const { source } = context;
  return separated(
    items.map((item): Pieces => {
      if (!isStar(pipeline, item) || state.hidden.length === 0)
        return context.expression(item, inExpression(pipeline));
      const hidden = state.hidden.map(identifier).join(', ');
      const hasExcept = source.isWord(item.from + 1, 'EXCEPT') && source.isSymbol(item.from + 2, '(');
      const rest = { from: item.from + (hasExcept ? 3 : 1), to: item.to };
      const more = hasExcept ? generate(`EXCEPT ( ${hidden},`) : generate(`EXCEPT (${hidden})`);
      return [
        ...copied(source, { from: item.from, to: item.from + 1 }),
        more,
        ...context.expression(rest, inExpression(pipeline)),
      ];
    }),
    generate(','),
  );
}
