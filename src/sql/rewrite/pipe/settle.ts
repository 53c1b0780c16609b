import type { FromItem } from '../pieces/from-clause.ts';
import type { Piece } from '../pieces/pieces.ts';
import { quoted } from '../pieces/pieces.ts';
import { select, star } from './render.ts';
import { isValueTable, type OrderItem, type Pipeline, type State, startState } from './state.ts';

/**
 * Makes a state a subquery, so that an operator can use all of its columns. Aliases of tables stay visible, as
 * hidden columns that are records, if a later operator has such a name.
 *
 * @param keepsOrder whether the order of rows matters to the operators that follow
 * @param used the names that may be aliases
 */
export function settle(
  pipeline: Pipeline,
  state: State,
  keepsOrder: boolean,
  used: Pipeline['used'] = pipeline.used,
): State {
  const { context, generate } = pipeline;
  const { projection, limit } = state;
  if (keepsOrder && state.isOrderedInput) {
    throw context.source.error(
      pipeline.at,
      'This pipe operator after ORDER BY in standard syntax is not supported; use |> ORDER BY',
    );
  }
  if (isPlain(state)) return state;
  const isValue = isValueTable(state);
  const order = keepsOrder || limit !== undefined ? state.order : undefined;
  const { order: _, ...others } = state;
  const ordered: State = order === undefined ? others : state;
  const keys = keepsOrder ? (order ?? []) : [];
  if (keys.some(({ key }) => key.length === 0)) {
    throw context.source.error(
      pipeline.at,
      'This pipe operator after ORDER BY with a position is not supported',
    );
  }
  const kept = (projection?.keepsAliases ?? true) ? aliasesOf(state).filter((name) => used.has(name)) : [];
  const isWhole = projection === undefined && state.items.length === 1 && state.hidden.length === 0;
  if (keys.length === 0 && (isValue || isWhole)) {
    const [item] = state.items;
    const name = projection === undefined && item ? item.name : context.newName();
    const isNamed = projection === undefined && item?.isNamed === true;
    const kind: FromItem['kind'] = isValue ? 'element' : 'table';
    return {
      ...startState,
      elements: projection === undefined ? state.elements : [],
      from: [generate('('), ...select(pipeline, ordered), generate(`) AS ${quoted(name)}`)],
      items: [{ name, isNamed, kind }],
    };
  }
  if (isValue) return settle(pipeline, withElementColumn(pipeline, state), keepsOrder, used);
  const orderColumns = keys.map(() => context.newName());
  const extra = [
    ...kept.map((name) => [generate(quoted(name))]),
    ...keys.map(({ key }, index) => [...key, generate(`AS ${orderColumns[index]}`)]),
  ].flatMap((piece, index) => (index === 0 ? piece : [generate(','), ...piece]));
  const hiddenBefore = projection?.hidden ?? [];
  const inner = select(pipeline, ordered, extra);
  const name = context.newName();
  const item: FromItem = { name, isNamed: false, kind: 'table' };
  const elements = elementsOf(state);
  if (kept.length === 0) {
    return {
      ...startState,
      elements,
      hidden: [...hiddenBefore, ...orderColumns],
      from: [generate('('), ...inner, generate(`) AS ${name}`)],
      items: [item],
      ...orderBy(keys, orderColumns, generate),
    };
  }
  // A column with the name of an alias would be ambiguous here, and the analyzer refuses it.
  const guards = kept.map(() => context.newName());
  const guarded = kept.map((alias, index) => `${name}.${quoted(alias)} AS ${guards[index]}`).join(', ');
  return {
    ...startState,
    elements,
    hidden: [...hiddenBefore, ...kept, ...orderColumns, ...guards],
    aliases: kept,
    from: [generate(`(SELECT ${name}.*, ${guarded} FROM (`), ...inner, generate(`) AS ${name} ) AS ${name}`)],
    items: [item],
    ...orderBy(keys, orderColumns, generate),
  };
}

/** Whether nothing was added to the FROM clause, and it is one table or subquery. */
function isPlain({ projection, where, order, limit, items }: State): boolean {
  const isEmpty =
    projection === undefined && where.length === 0 && order === undefined && limit === undefined;
  return isEmpty && items.length === 1 && items[0]?.kind === 'table';
}

/** The aliases that are visible, apart from columns. */
function aliasesOf({ items, aliases }: State): string[] {
  const tables = items.filter(({ kind, isNamed }) => kind === 'table' && isNamed);
  return [...aliases, ...tables.map(({ name }) => name)];
}

function elementsOf({ items, elements, projection }: State): string[] {
  if (projection?.keepsAliases === false) return [];
  return [...elements, ...items.filter(({ kind }) => kind === 'element').map(({ name }) => name)];
}

function orderBy(
  keys: readonly OrderItem[],
  columns: readonly string[],
  generate: (text: string) => Piece,
): Pick<State, 'order'> {
  if (keys.length === 0) return {};
  return { order: keys.map(({ suffix }, index) => ({ key: [generate(columns[index] ?? '')], suffix })) };
}

/** A value table as a table with its value as a column. */
export function withElementColumn(pipeline: Pipeline, state: State): State {
  if (state.projection !== undefined) {
    throw pipeline.context.source.error(
      pipeline.at,
      'This pipe operator after SELECT AS STRUCT or AS VALUE is not supported; use |> AS before it',
    );
  }
  const { generate } = pipeline;
  return {
    ...state,
    projection: {
      head: [generate('SELECT')],
      list: star(pipeline, state),
      tail: [],
      keepsAliases: true,
      isValueTable: false,
      hidden: [],
    },
  };
}

/**
 * A state that has no projection, so that one can be added. The order stays if it can't be changed by the aliases of
 * the new SELECT list.
 */
export function unprojected(pipeline: Pipeline, state: State, keepsOrder: boolean): State {
  const { order, ...unordered } = state;
  const isFree = state.projection === undefined && (state.limit === undefined || keepsOrder);
  if (state.isOrderedInput || !isFree) return settle(pipeline, state, keepsOrder);
  if (order === undefined) return state;
  if (!keepsOrder) return unordered;
  const isSafe = order.every(({ key }) => key.length === 1 && 'text' in (key[0] as Piece));
  return isSafe ? state : settle(pipeline, state, true);
}
