import { identifier } from '../../text/identifier.ts';
import type { Piece, Pieces } from '../pieces/pieces.ts';
import { separated } from '../pieces/pieces.ts';
import { isValueTable, type Pipeline, type State } from './state.ts';

/**
 * The list of all output columns of a FROM clause.
 *
 * @throws AnalyzerError if standard syntax has no list for them
 */
export function star(pipeline: Pipeline, state: State): Pieces {
  const { context, at, generate } = pipeline;
  const { items, hidden, isMerged } = state;
  const refused = (reason: string) =>
    context.source.error(
      at,
      `This pipe operator after ${reason} is not supported; add |> SELECT with the columns before it`,
    );
  if (items.some(({ kind }) => kind === 'unknown')) throw refused('an array without UNNEST');
  const hasElements = items.some(({ kind }) => kind !== 'table');
  if (items.length <= 1 && !hasElements) {
    return [generate(hidden.length === 0 ? '*' : `* EXCEPT (${hidden.map(identifier).join(', ')})`)];
  }
  if (!hasElements && hidden.length === 0) return [generate('*')];
  if (isMerged) throw refused('a join with USING');
  const lists = items.map(({ name, kind, isNamed }, index) => {
    // A column without a name.
    if (kind === 'element' && !isNamed) return `IF(TRUE, ${name}, NULL)`;
    if (kind !== 'table') return identifier(name);
    const without = index === 0 && hidden.length > 0 ? ` EXCEPT (${hidden.map(identifier).join(', ')})` : '';
    return `${identifier(name)}.*${without}`;
  });
  return [generate(lists.join(', '))];
}

/** The SELECT statement of a state. `extra` columns follow its list. */
export function select(pipeline: Pipeline, state: State, extra: Pieces = []): Pieces {
  const { generate } = pipeline;
  const { projection, from, order, limit } = state;
  return [
    ...(projection?.head ?? [generate(isValueTable(state) ? 'SELECT AS VALUE' : 'SELECT')]),
    ...(projection?.list ??
      (isValueTable(state) ? [generate(identifier(state.items[0]?.name ?? ''))] : star(pipeline, state))),
    ...(extra.length === 0 ? [] : [generate(','), ...extra]),
    generate('FROM'),
    ...from,
    ...where(pipeline, state),
    ...(projection?.tail ?? []),
    ...(order === undefined ? [] : [generate('ORDER BY'), ...orderList(pipeline, order)]),
    ...(limit === undefined ? [] : [generate('LIMIT'), ...limit]),
  ];
}

function orderList({ generate }: Pipeline, order: NonNullable<State['order']>): Pieces {
  return separated(
    order.map(({ key, suffix, ordinal }) => [...(ordinal ?? key), ...suffix]),
    generate(','),
  );
}

function where({ generate }: Pipeline, { where }: State): Pieces {
  if (where.length === 0) return [];
  const bracketed = where.map((condition): Piece[] => [generate('('), ...condition, generate(')')]);
  return [generate('WHERE'), ...separated(bracketed, generate('AND'))];
}
