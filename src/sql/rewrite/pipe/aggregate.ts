import { contentsOf } from '../pieces/calls.ts';
import type { Pieces } from '../pieces/pieces.ts';
import { clauseWords, separated } from '../pieces/pieces.ts';
import { type Item, readItem } from '../pieces/select-item.ts';
import type { Range, Source } from '../pieces/source.ts';
import { copied } from '../pieces/writer.ts';
import { inExpression, refuseClauses } from './select-items.ts';
import { unprojected } from './settle.ts';
import type { OrderItem, Pipeline, State } from './state.ts';

/** AGGREGATE ... GROUP [AND ORDER] BY ... */
export function aggregate(pipeline: Pipeline, input: State, range: Range): State {
  const { context, generate } = pipeline;
  const { source } = context;
  const group = source.find(range, (index) => source.isWord(index, 'GROUP'));
  const isOrdered = group !== undefined && source.areWords(group + 1, 'AND', 'ORDER');
  const by = group === undefined ? range.to : group + (isOrdered ? 3 : 1);
  if (group !== undefined && !source.isWord(by, 'BY')) throw source.unexpected(by);
  const others = new Set([...clauseWords].filter((word) => word !== 'GROUP'));
  const aggregates = { from: range.from, to: group ?? range.to };
  refuseClauses(source, aggregates, others);
  const grouping = { from: by + 1, to: range.to };
  if (group !== undefined) refuseClauses(source, grouping, clauseWords);
  if (group === undefined && aggregates.from >= aggregates.to) throw source.unexpected(range.to);
  if (group !== undefined && grouping.from >= grouping.to) throw source.unexpected(range.to);
  const itemsOf = (part: Range) =>
    part.from >= part.to ? [] : source.items(part).map((item) => readItem(source, item));
  const aggregated = itemsOf(aggregates);
  const groups = itemsOf(grouping);
  for (const { expression } of aggregated) checkAggregate(source, expression);
  const sets = groups.flatMap(({ expression }) => groupingSet(source, expression) ?? []);
  const set = groups.find(({ expression }) => groupingSet(source, expression) !== undefined);
  const hasSets = set !== undefined;
  if (hasSets && isOrdered) {
    throw source.error(
      set.expression.from,
      'GROUP AND ORDER BY cannot be used with ROLLUP, CUBE, GROUPING SETS and ()',
    );
  }
  const columns: Item[] = hasSets ? uniqueItems(source, groups, sets, aggregated) : [...groups];
  const outputs = [...columns, ...aggregated];
  if (outputs.length === 0) throw source.unexpected(range.to);
  const suffixOf = (item: Item, isGroup: boolean): Pieces | undefined => {
    if (item.suffix.from < item.suffix.to) return copied(source, item.suffix);
    return isOrdered && isGroup ? [] : undefined;
  };
  // Each is written once: with more, nested queries would take exponential time.
  const keys = outputs.map(({ expression }) => context.expression(expression, inExpression(pipeline)));
  const order = outputs.flatMap((item, index): OrderItem[] => {
    const suffix = suffixOf(item, index < columns.length);
    if (suffix === undefined) return [];
    const key = keys[index] ?? [];
    return [{ key, suffix, ordinal: [{ text: String(index + 1), at: source.offset(item.expression.from) }] }];
  });
  const list = outputs.map(({ alias }, index) => [
    ...(keys[index] ?? []),
    ...(alias === undefined ? [] : [generate('AS'), ...copied(source, alias)]),
  ]);
  const { order: _, ...state } = unprojected(pipeline, input, false);
  return {
    ...state,
    projection: {
      head: [generate('SELECT')],
      list: separated(list, generate(',')),
      tail: tailOf(pipeline, groups, hasSets, group),
      keepsAliases: false,
      isValueTable: false,
      hidden: [],
    },
    ...(order.length > 0 && { order }),
  };
}

function tailOf(
  pipeline: Pipeline,
  groups: readonly Item[],
  hasSets: boolean,
  group: number | undefined,
): Pieces {
  const { context, generate } = pipeline;
  // HAVING makes a query without aggregate functions an error.
  if (group === undefined) return [generate('HAVING TRUE')];
  const items = groups.map(({ expression }, index) =>
    hasSets ? context.expression(expression, inExpression(pipeline)) : [generate(String(index + 1))],
  );
  return [generate('GROUP BY'), ...separated(items, generate(','))];
}

function checkAggregate(source: Source, expression: Range): void {
  if (expression.from >= expression.to) throw source.unexpected(expression.to);
  const { aggregate, window } = contentsOf(source, expression);
  if (window !== undefined) throw source.error(window, 'Window functions are not allowed in pipe AGGREGATE');
  if (aggregate === undefined) {
    throw source.error(expression.from, 'Pipe AGGREGATE cannot include non-aggregate expressions');
  }
}

/** The expressions of ROLLUP, CUBE, GROUPING SETS and (). Undefined for any other item. */
function groupingSet(source: Source, { from, to }: Range): Range[] | undefined {
  if (from >= to) throw source.unexpected(to);
  if (source.isWord(from, 'ALL')) throw source.unexpected(from);
  if (to === from + 1 && isLiteral(source, from)) {
    const isOrdinal = /^\d+$/.test(source.tokens[from]?.text ?? '');
    throw source.error(
      from,
      isOrdinal ? 'GROUP BY ordinal not allowed in pipe AGGREGATE' : 'Cannot GROUP BY literal values',
    );
  }
  const isNamed = source.isWord(from, 'ROLLUP', 'CUBE') && source.isSymbol(from + 1, '(');
  const isSets = source.areWords(from, 'GROUPING', 'SETS');
  const isEmpty = source.isSymbol(from, '(') && source.closer(from) === from + 1 && to === from + 2;
  if (isEmpty) return [];
  if (!isNamed && !isSets) return undefined;
  const open = from + (isSets ? 2 : 1);
  const close = source.closer(open);
  if (close === undefined || close + 1 !== to) throw source.unexpected(open);
  return close === open + 1
    ? []
    : source.items({ from: open + 1, to: close }).flatMap((item) => leaves(source, item));
}

function isLiteral(source: Source, index: number): boolean {
  return source.tokens[index]?.kind === 'literal' || source.isWord(index, 'NULL', 'TRUE', 'FALSE');
}

/** Whether an expression is a column or a field, and so has a name. */
function isPath(source: Source, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) {
    const isDot = (index - from) % 2 === 1;
    const { kind } = source.tokens[index] ?? {};
    if (isDot ? !source.isSymbol(index, '.') : kind !== 'word' && kind !== 'name') return false;
  }
  return true;
}

function leaves(source: Source, item: Range): Range[] {
  const nested = groupingSet(source, item);
  if (nested !== undefined) return nested;
  const close = source.closer(item.from);
  const isList = source.isSymbol(item.from, '(') && close !== undefined && close + 1 === item.to;
  if (!isList) {
    if (isPath(source, item)) return [item];
    throw source.error(
      item.from,
      'Columns without a name are not allowed in grouping sets; compute them with |> EXTEND before',
    );
  }
  return source.items({ from: item.from + 1, to: close }).flatMap((part) => leaves(source, part));
}

/** Each expression of grouping sets is one column, however often it is listed. */
function uniqueItems(
  source: Source,
  groups: readonly Item[],
  sets: readonly Range[],
  aggregated: readonly Item[],
): Item[] {
  const other = groups.find(({ expression, alias, suffix }) => {
    const isSet = groupingSet(source, expression) !== undefined;
    return isSet ? alias !== undefined || suffix.from < suffix.to : groups.length > 1;
  });
  if (other !== undefined) {
    throw source.error(
      other.expression.from,
      'Expressions, aliases and orders beside ROLLUP, CUBE and GROUPING SETS are not supported in pipe AGGREGATE',
    );
  }
  const unique = new Map<string, Range>();
  for (const expression of sets) {
    const key = source.tokens
      .slice(expression.from, expression.to)
      .map((_, index) => source.nameOf(expression.from + index));
    const text = key.join(' ');
    if (!unique.has(text)) unique.set(text, expression);
  }
  const names = new Set([...sets].flatMap((range) => [...source.lastUses(range).keys()]));
  const captured = aggregated.find(
    ({ alias }) => alias !== undefined && names.has(source.nameOf(alias.from)),
  );
  if (captured?.alias !== undefined) {
    throw source.error(
      captured.alias.from,
      'An alias with the name of a column of ROLLUP, CUBE or GROUPING SETS is not supported',
    );
  }
  return [...unique.values()].map((expression) => ({
    expression,
    alias: undefined,
    suffix: { from: expression.to, to: expression.to },
  }));
}
