import { contentsOf } from '../pieces/calls.ts';
import { quoted } from '../pieces/pieces.ts';
import { readItem } from '../pieces/select-item.ts';
import type { Range } from '../pieces/source.ts';
import { copied } from '../pieces/writer.ts';
import { aggregate } from './aggregate.ts';
import { drop, rename, set } from './columns.ts';
import { select as selectText, star } from './render.ts';
import {
  inExpression,
  isStar,
  listOf,
  listWithoutHidden,
  readItems,
  refuseClauses,
  withoutAggregates,
} from './select-items.ts';
import { settle, unprojected } from './settle.ts';
import { isValueTable, type OrderItem, type Pipeline, type State, startState } from './state.ts';
import { as, distinct, join, modifier, setOperation } from './tables.ts';

/** An operator: what it makes of its input. The range is what follows its name. */
type Operator = (pipeline: Pipeline, input: State, range: Range) => State;

const noClause = new Set([
  'FROM',
  'WHERE',
  'GROUP',
  'HAVING',
  'QUALIFY',
  'WINDOW',
  'ORDER',
  'LIMIT',
  'UNION',
  'INTERSECT',
  'EXCEPT',
]);

const where: Operator = (pipeline, input, range) => {
  const { context, generate } = pipeline;
  const { source } = context;
  if (range.from >= range.to) throw source.unexpected(range.to);
  refuseClauses(source, range, noClause);
  const condition = context.expression(range, inExpression(pipeline));
  const { hasWindowFunction } = withoutAggregates(pipeline, range, 'WHERE');
  const isPending = input.projection !== undefined || input.limit !== undefined || input.isOrderedInput;
  const { order: _, ...state } = isPending ? settle(pipeline, input, false) : input;
  if (!hasWindowFunction) return { ...state, where: [...state.where, condition] };
  // A window function is computed after the conditions before it.
  const filtered: State = {
    ...state,
    where: state.where.length > 0 ? state.where : [[generate('TRUE')]],
    projection: {
      head: [generate(isValueTable(state) ? 'SELECT AS VALUE' : 'SELECT')],
      list: isValueTable(state) ? [generate(quoted(state.items[0]?.name ?? ''))] : star(pipeline, state),
      tail: [generate('QUALIFY'), ...condition],
      keepsAliases: true,
      isValueTable: isValueTable(state),
      hidden: [],
    },
  };
  const isWhole = state.items.length === 1 && state.hidden.length === 0;
  if (!isWhole) return filtered;
  return {
    ...state,
    where: [],
    from: [
      generate('('),
      ...selectText(pipeline, filtered),
      generate(`) AS ${quoted(state.items[0]?.name ?? '')}`),
    ],
  };
};

const select: Operator = (pipeline, input, range) => {
  const { context, generate } = pipeline;
  const { source } = context;
  let { from } = range;
  const isDistinct = source.isWord(from, 'DISTINCT');
  if (source.isWord(from, 'DISTINCT', 'ALL')) from++;
  const isStruct = source.areWords(from, 'AS', 'STRUCT');
  const isValue = source.areWords(from, 'AS', 'VALUE');
  if (source.isWord(from, 'AS') && !isStruct && !isValue) throw source.unexpected(from);
  if (source.isWord(from, 'WITH')) throw source.error(from, 'SELECT WITH is not supported');
  if (isStruct || isValue) from += 2;
  const { items, window, hasWindowFunction } = readItems(pipeline, { from, to: range.to }, 'SELECT');
  const keepsOrder = !isDistinct && !hasWindowFunction;
  const hasStar = items.some((item) => isStar(pipeline, item));
  let state = unprojected(pipeline, input, keepsOrder);
  if (hasStar && state.hidden.length > 0 && state.items.length > 1)
    state = settle(pipeline, state, keepsOrder);
  if (hasStar) state = withoutNewNames(state);
  if (hasStar && state.elements.length > 0) {
    throw source.error(
      pipeline.at,
      'Pipe SELECT * with the fields of a value is not supported here; name the columns',
    );
  }
  return {
    ...state,
    projection: {
      head: [generate('SELECT'), ...copied(source, { from: range.from, to: from })],
      list: listWithoutHidden(pipeline, state, items),
      tail: window,
      keepsAliases: false,
      isValueTable: isStruct || isValue,
      hidden: [],
    },
  };
};

/** A state in which values without a name have no alias, which `*` would make the name of a column. */
function withoutNewNames(state: State): State {
  const names = state.items
    .filter(({ kind, isNamed }) => kind === 'element' && !isNamed)
    .map(({ name }) => name);
  const aliases = names.flatMap((name) => [` AS ${name}`, ` AS ${quoted(name)}`]);
  const from = state.from.map((piece) => {
    if ('start' in piece) return piece;
    const alias = aliases.find((text) => ` ${piece.text}`.endsWith(text));
    return alias === undefined ? piece : { ...piece, text: ` ${piece.text}`.slice(0, -alias.length) };
  });
  return { ...state, from };
}

const extend: Operator = (pipeline, input, range) => {
  const { generate } = pipeline;
  const { items, window, hasWindowFunction } = readItems(pipeline, range, 'EXTEND');
  const state = unprojected(pipeline, input, !hasWindowFunction);
  return {
    ...state,
    projection: {
      head: [generate('SELECT')],
      list: [...star(pipeline, state), generate(','), ...listOf(pipeline, items)],
      tail: window,
      keepsAliases: true,
      isValueTable: false,
      hidden: [],
    },
  };
};

/** The older name of EXTEND with window functions. */
const window: Operator = (pipeline, input, range) => {
  const { source } = pipeline.context;
  const other = source.items(range).find((item) => contentsOf(source, item).window === undefined);
  if (other !== undefined) {
    throw source.error(
      other.from,
      'Pipe WINDOW expression must include a window function call (with an OVER clause)',
    );
  }
  return extend(pipeline, input, range);
};

const orderBy: Operator = (pipeline, input, range) => {
  const { context } = pipeline;
  const { source } = context;
  if (!source.isWord(range.from, 'BY')) throw source.unexpected(range.from);
  const list = { from: range.from + 1, to: range.to };
  if (list.from >= list.to) throw source.unexpected(range.to);
  refuseClauses(source, list, noClause);
  const order = source.items(list).map((item): OrderItem => {
    const { expression, suffix, alias } = readItem(source, item);
    if (alias !== undefined) throw source.unexpected(alias.from);
    if (expression.from >= expression.to) throw source.unexpected(expression.to);
    withoutAggregates(pipeline, expression, 'ORDER BY');
    const key = context.expression(expression, inExpression(pipeline));
    const isOrdinal =
      expression.to === expression.from + 1 && /^\d+$/.test(source.tokens[expression.from]?.text ?? '');
    return { key: isOrdinal ? [] : key, suffix: copied(source, suffix), ...(isOrdinal && { ordinal: key }) };
  });
  const isPending = input.projection !== undefined || input.limit !== undefined || input.isOrderedInput;
  const { order: _, ...state } = isPending ? settle(pipeline, input, false) : input;
  return { ...state, order };
};

const limit: Operator = (pipeline, input, range) => {
  const { source } = pipeline.context;
  if (range.from >= range.to) throw source.unexpected(range.to);
  refuseClauses(source, range, noClause);
  const state = input.limit === undefined && !input.isOrderedInput ? input : settle(pipeline, input, true);
  return { ...state, limit: pipeline.context.expression(range, inExpression(pipeline)) };
};

/** The pipe operators by their first word. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['SELECT', select],
  ['EXTEND', extend],
  ['WINDOW', window],
  ['SET', set],
  ['DROP', drop],
  ['RENAME', rename],
  ['AS', as],
  ['WHERE', where],
  ['AGGREGATE', aggregate],
  ['DISTINCT', distinct],
  ['ORDER', orderBy],
  ['LIMIT', limit],
  [
    'PIVOT',
    (pipeline, input, range) => modifier(pipeline, input, { from: range.from - 1, to: range.to }, false),
  ],
  [
    'UNPIVOT',
    (pipeline, input, range) => modifier(pipeline, input, { from: range.from - 1, to: range.to }, false),
  ],
  [
    'TABLESAMPLE',
    (pipeline, input, range) => modifier(pipeline, input, { from: range.from - 1, to: range.to }, true),
  ],
]);

/** Operators that are named in their refusal. */
const refused = new Set([
  'CALL',
  'ASSERT',
  'MATCH_RECOGNIZE',
  'RECURSIVE',
  'DESCRIBE',
  'STATIC_DESCRIBE',
  'IF',
  'FORK',
  'TEE',
  'CREATE',
  'EXPORT',
  'INSERT',
  'LOG',
  'LATERAL',
  'DELETE',
  'UPDATE',
  'MERGE',
]);

/**
 * Applies one pipe operator, apart from WITH.
 *
 * @param range the operator without `|>`
 * @throws AnalyzerError
 */
export function applyOperator(pipeline: Pipeline, input: State, range: Range): State {
  const { source } = pipeline.context;
  const { from, to } = range;
  if (from >= to) throw source.unexpected(from);
  const word = source.tokens[from]?.kind === 'word' ? (source.tokens[from]?.text ?? '') : '';
  const isSetOperation = source.find(range, (index) => source.isWord(index, 'UNION', 'INTERSECT', 'EXCEPT'));
  const mayBeJoin = ['JOIN', 'INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL', 'HASH', 'NATURAL'].includes(word);
  if (refused.has(word)) throw source.error(from, `The pipe operator ${word} is not supported`);
  if (word === 'EXCEPT' || word === 'UNION' || word === 'INTERSECT')
    return setOperation(pipeline, input, range);
  if (mayBeJoin) {
    const isJoin = source.find(range, (index) => source.isWord(index, 'JOIN'));
    const isFirst = isSetOperation !== undefined && (isJoin === undefined || isSetOperation < isJoin);
    return isFirst ? setOperation(pipeline, input, range) : join(pipeline, input, range);
  }
  const operator = operators.get(word);
  if (operator === undefined) throw source.unexpected(from);
  return operator(pipeline, input, { from: from + 1, to });
}

export { startState };
