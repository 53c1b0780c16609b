import { fromClause } from '../pieces/from-clause.ts';
import { quoted } from '../pieces/pieces.ts';
import { combine, readSetOperator, type SetInput } from '../pieces/set-operation.ts';
import type { Range } from '../pieces/source.ts';
import { copied } from '../pieces/writer.ts';
import { select } from './render.ts';
import { inExpression } from './select-items.ts';
import { settle } from './settle.ts';
import { isValueTable, type Pipeline, type State, startState } from './state.ts';

/** JOIN of any kind. */
export function join(pipeline: Pipeline, input: State, range: Range): State {
  const { context, scope } = pipeline;
  const isPending =
    input.projection !== undefined ||
    input.where.length > 0 ||
    input.limit !== undefined ||
    input.isOrderedInput;
  const { order: _, ...state } = isPending ? settle(pipeline, input, false) : input;
  const { pieces, items, isMerged } = fromClause(context, range, scope, { ...state, pieces: state.from });
  return { ...state, from: pieces, items, isMerged };
}

/** UNION, INTERSECT and EXCEPT with one or more queries in brackets. */
export function setOperation(pipeline: Pipeline, input: State, range: Range): State {
  const { context, generate, scope } = pipeline;
  const { source } = context;
  const index = source.find(range, (at) => source.isWord(at, 'UNION', 'INTERSECT', 'EXCEPT')) ?? range.from;
  const operator = readSetOperator(context, index);
  if (operator.from !== range.from) throw source.unexpected(range.from);
  const queries = source.items({ from: operator.to, to: range.to }).map(({ from, to }): SetInput => {
    const close = source.closer(from);
    if (!source.isSymbol(from, '(') || close === undefined) throw source.unexpected(from);
    if (close + 1 !== to) throw source.unexpected(close + 1);
    const { pieces } = context.query({ from: from + 1, to: close }, scope);
    return { pieces: [generate('('), ...pieces, generate(')')], names: undefined };
  });
  const { order: _, ...unordered } = input;
  const left = select(pipeline, input.limit === undefined ? unordered : input);
  const inputs = [{ pieces: [generate('('), ...left, generate(')')], names: undefined }, ...queries];
  const operators = queries.map(() => operator);
  const name = context.newName();
  return {
    ...startState,
    from: [generate('('), ...combine(context, operators, inputs, scope), generate(`) AS ${name}`)],
    items: [{ name, isNamed: false, kind: isValueTable(input) ? 'element' : 'table' }],
  };
}

/** PIVOT, UNPIVOT and TABLESAMPLE, with an alias or without. */
export function modifier(pipeline: Pipeline, input: State, range: Range, keepsAliases: boolean): State {
  const { context, generate } = pipeline;
  const { source } = context;
  const { order: _, ...unordered } = input;
  const left = input.limit === undefined ? unordered : input;
  const open = source.find(range, (index) => source.isSymbol(index, '('));
  if (open === undefined) throw source.unexpected(range.to);
  const end = source.after(open);
  const operator = context.expression({ from: range.from, to: end }, inExpression(pipeline));
  if (keepsAliases) {
    if (end !== range.to) throw source.unexpected(end);
    const settled = settle(pipeline, left, false);
    return { ...settled, from: [...settled.from, ...operator] };
  }
  const hasAs = source.isWord(end, 'AS');
  const alias = end < range.to ? end + (hasAs ? 1 : 0) : undefined;
  if (alias !== undefined && (!source.isName(alias) || alias + 1 !== range.to))
    throw source.unexpected(alias);
  const name = alias === undefined ? context.newName() : source.nameOf(alias);
  const named = alias === undefined ? [generate(name)] : copied(source, { from: alias, to: alias + 1 });
  return {
    ...startState,
    from: [generate('('), ...select(pipeline, left), generate(')'), ...operator, generate('AS'), ...named],
    items: [{ name, isNamed: alias !== undefined, kind: 'table' }],
  };
}

/** AS: names the table. */
export function as(pipeline: Pipeline, input: State, range: Range): State {
  const { context, generate } = pipeline;
  const { source } = context;
  if (!source.isName(range.from)) throw source.unexpected(range.from);
  if (range.to !== range.from + 1) throw source.unexpected(range.from + 1);
  if (input.order !== undefined || input.isOrderedInput) {
    throw source.error(pipeline.at, 'Pipe AS after ORDER BY is not supported; write it before');
  }
  const name = source.nameOf(range.from);
  const isValue = isValueTable(input);
  return {
    ...startState,
    elements: input.elements,
    from: [generate('('), ...select(pipeline, input), generate(') AS'), ...copied(source, range)],
    items: [{ name, isNamed: true, kind: isValue ? 'element' : 'table' }],
  };
}

/** DISTINCT: removes repeated rows. */
export function distinct(pipeline: Pipeline, input: State, range: Range): State {
  const { context, generate } = pipeline;
  if (range.from < range.to) throw context.source.unexpected(range.from);
  const { order: _, ...unordered } = input;
  const isSimple = input.projection === undefined && input.limit === undefined && !input.isOrderedInput;
  const state = isSimple ? unordered : settle(pipeline, input, false);
  const [item] = state.items;
  const isWhole = state.items.length === 1 && state.hidden.length === 0 && item !== undefined;
  const aliases = [
    ...state.aliases,
    ...state.items.filter(({ isNamed, kind }) => isNamed && kind === 'table').map(({ name }) => name),
  ];
  const lost = aliases.find((name) => pipeline.usedLater.has(name));
  if (!isWhole && lost !== undefined) {
    throw context.source.error(
      pipeline.at,
      `Pipe DISTINCT of several tables before ${lost} is used is not supported`,
    );
  }
  const [first, ...rest] = select(pipeline, state);
  if (first === undefined || !('text' in first)) throw new TypeError('A SELECT begins with generated text');
  const text = first.text.replace(/^SELECT/, 'SELECT DISTINCT');
  const name = isWhole ? item.name : context.newName();
  return {
    ...startState,
    elements: state.elements,
    from: [generate('('), { ...first, text }, ...rest, generate(`) AS ${quoted(name)}`)],
    items: [isWhole ? item : { name, isNamed: false, kind: 'table' }],
  };
}
