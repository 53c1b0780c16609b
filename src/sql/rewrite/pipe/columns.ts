import { identifier } from '../../text/identifier.ts';
import type { Piece, Pieces } from '../pieces/pieces.ts';
import { separated } from '../pieces/pieces.ts';
import type { Range } from '../pieces/source.ts';
import { copied } from '../pieces/writer.ts';
import { select, star } from './render.ts';
import { inExpression, readItems } from './select-items.ts';
import { settle, unprojected, withElementColumn } from './settle.ts';
import { isValueTable, type Pipeline, type Projection, type State } from './state.ts';

const plainProjection = { tail: [], keepsAliases: true, isValueTable: false, hidden: [] } as const;

/** A state whose columns are those of one subquery, for operators that change single columns. */
function derived(pipeline: Pipeline, input: State, keepsOrder: boolean): State {
  if (isValueTable(input)) throw refuseValueTable(pipeline);
  const state = unprojected(pipeline, input, keepsOrder);
  return state.items.length === 1 ? state : settle(pipeline, state, keepsOrder);
}

function refuseValueTable({ context, at }: Pipeline) {
  return context.source.error(
    at,
    'This pipe operator on rows that are values is not supported; add |> SELECT before it',
  );
}

/** SET: changes values of columns. */
export function set(pipeline: Pipeline, input: State, range: Range): State {
  const { context, generate } = pipeline;
  const { source } = context;
  const { items, hasWindowFunction } = readItems(pipeline, range, 'SET');
  for (const { from } of items) {
    const { kind } = source.tokens[from] ?? {};
    if (kind !== 'word' && kind !== 'name') throw source.unexpected(from);
    if (source.isSymbol(from + 1, '.')) throw source.error(from, 'Pipe SET of a field is not supported');
    if (!source.isSymbol(from + 1, '=')) throw source.unexpected(from + 1);
  }
  const state = derived(pipeline, input, !hasWindowFunction);
  if (hasWindowFunction) return setByColumns(pipeline, state, items);
  const replaced = items.map(({ from, to }) => [
    ...context.expression({ from: from + 2, to }, inExpression(pipeline)),
    generate('AS'),
    ...copied(source, { from, to: from + 1 }),
  ]);
  const guards = items.map(({ from }) => guard(pipeline, from));
  const list = [
    generate(`*${without(state)} REPLACE (`),
    ...separated(replaced, generate(',')),
    generate(')'),
  ];
  return {
    ...state,
    where: [...state.where, ...guards],
    projection: { ...plainProjection, head: [generate('SELECT')], list },
  };
}

/** SET with window functions, which REPLACE can't have: they are columns before they replace others. */
function setByColumns(pipeline: Pipeline, state: State, items: readonly Range[]): State {
  const { context, generate } = pipeline;
  const { source } = context;
  const names = items.map(() => context.newName());
  const values = items.map(({ from, to }, index) => [
    ...context.expression({ from: from + 2, to }, inExpression(pipeline)),
    generate(`AS ${names[index]}`),
  ]);
  const list = [...star(pipeline, state), generate(','), ...separated(values, generate(','))];
  const extended: State = {
    ...state,
    projection: { ...plainProjection, head: [generate('SELECT')], list, hidden: names },
  };
  const settled = settle(pipeline, extended, false);
  const replaced = items.map(({ from }, index) => [
    generate(`${names[index]} AS`),
    ...copied(source, { from, to: from + 1 }),
  ]);
  const guards = items.map(({ from }) => guard(pipeline, from));
  return {
    ...settled,
    where: guards,
    projection: {
      ...plainProjection,
      head: [generate('SELECT')],
      list: [
        generate(`*${without(settled)} REPLACE (`),
        ...separated(replaced, generate(',')),
        generate(')'),
      ],
    },
  };
}

/** A condition that is true. A column that occurs twice is ambiguous in it, and the analyzer refuses it. */
function guard({ context, generate }: Pipeline, column: number): Pieces {
  return [
    generate('TRUE OR'),
    ...copied(context.source, { from: column, to: column + 1 }),
    generate('IS NULL'),
  ];
}

function without({ hidden }: State): string {
  return hidden.length === 0 ? '' : ` EXCEPT (${hidden.map(identifier).join(', ')})`;
}

/** DROP: removes columns. */
export function drop(pipeline: Pipeline, input: State, range: Range): State {
  const { context, generate } = pipeline;
  const { source } = context;
  const { items } = readItems(pipeline, range, 'DROP');
  const names = items.map(({ from, to }): Pieces => {
    const { kind } = source.tokens[from] ?? {};
    if (kind !== 'word' && kind !== 'name') throw source.unexpected(from);
    if (to !== from + 1) throw source.unexpected(from + 1);
    return copied(source, { from, to });
  });
  const state = derived(pipeline, input, true);
  const hidden = state.hidden.map((name): Piece[] => [generate(identifier(name))]);
  const list = [generate('* EXCEPT ('), ...separated([...names, ...hidden], generate(',')), generate(')')];
  const dropped = new Set(items.map(({ from }) => source.nameOf(from)));
  return {
    ...state,
    elements: state.elements.filter((name) => !dropped.has(name)),
    projection: { ...plainProjection, head: [generate('SELECT')], list },
  };
}

/** RENAME: gives columns other names. */
export function rename(pipeline: Pipeline, input: State, range: Range): State {
  const { context, generate, scope } = pipeline;
  const { source } = context;
  if (isValueTable(input)) throw refuseValueTable(pipeline);
  const { items } = readItems(pipeline, range, 'RENAME');
  const renamed = new Map<string, { readonly at: number; readonly to: Range }>();
  for (const { from, to } of items) {
    const target = source.isWord(from + 1, 'AS') ? from + 2 : from + 1;
    const { kind } = source.tokens[from] ?? {};
    if (kind !== 'word' && kind !== 'name') throw source.unexpected(from);
    if (!source.isName(target) || to !== target + 1) throw source.unexpected(Math.min(target, to));
    const name = source.nameOf(from);
    if (renamed.has(name)) throw source.error(from, `Duplicate column name in pipe RENAME: ${name}`);
    renamed.set(name, { at: from, to: { from: target, to } });
  }
  // The columns are named with a new alias, since an alias of a table can have the name of a column.
  const state = settle(pipeline, withAnotherName(pipeline, input), true);
  const alias = state.items[0]?.name ?? '';
  const names = context.columnsOf(select(pipeline, unordered(state)), scope);
  const lower = names.map((name) => name.toLowerCase());
  const counts = new Map<string, number>();
  for (const name of lower) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, { at }] of renamed) {
    const count = counts.get(name) ?? 0;
    if (count === 1) continue;
    const reason = count === 0 ? 'not found in' : 'exists more than once in';
    throw source.error(at, `Column name in pipe RENAME ${reason} input table: ${name}`);
  }
  if (counts.has('') || counts.size < names.length) {
    throw source.error(
      pipeline.at,
      'Pipe RENAME of a table with repeated or unnamed columns is not supported; use |> SELECT',
    );
  }
  const list = names.map((name, index): Pieces => {
    const to = renamed.get(lower[index] ?? '')?.to;
    const column = generate(`${alias}.${identifier(name)}`);
    return to === undefined ? [column] : [column, generate('AS'), ...copied(source, to)];
  });
  const elements = state.elements.map((name) => {
    const to = renamed.get(name)?.to;
    return to === undefined ? name : source.nameOf(to.from);
  });
  const projection: Projection = {
    ...plainProjection,
    head: [generate('SELECT')],
    list: separated(list, generate(',')),
  };
  return { ...state, elements, projection };
}

function unordered({ order: _, ...state }: State): State {
  return state;
}

/** A state that `settle` makes a subquery with a new name. */
function withAnotherName(pipeline: Pipeline, state: State): State {
  if (state.projection !== undefined || state.items.length > 1) return state;
  const projected = withElementColumn(pipeline, state);
  return state.isOrderedInput ? state : projected;
}
