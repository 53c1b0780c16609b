import type { Reached } from './explored-table.ts';

/** Pieces of queries in GoogleSQL. */

/** The `WHERE` clause of conditions that must all be true. */
export function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `\nWHERE ${conditions.join('\n  AND ')}`;
}

/**
 * The elements that have a field, behind the row that has them in a `FROM` clause. Rows without elements stay, with NULL.
 *
 * @param which all elements, or only the first ones: then `firstOnly` has the conditions for it
 */
export function joinedLists({ lists }: Reached, which: 'all' | 'first'): string {
  return lists
    .map(({ sql, alias }) => {
      const place = which === 'first' ? ` WITH OFFSET AS ${placeOf(alias)}` : '';
      return `\n  LEFT JOIN UNNEST(${sql}) AS ${alias}${place}`;
    })
    .join('');
}

/** The conditions that leave each row once, with the first element of each list. */
export function firstOnly({ lists }: Reached): readonly string[] {
  return lists.map(({ alias }) => `IFNULL(${placeOf(alias)}, 0) = 0`);
}

function placeOf(alias: string): string {
  return `${alias}_place`;
}

/** The elements that have a field, as a `FROM` clause of their own. */
export function unnested({ lists }: Reached): string {
  return lists.map(({ sql, alias }) => `UNNEST(${sql}) AS ${alias}`).join(', ');
}

/** The first parts of a text such as `/rest/v1/users`: `/rest` for one, `/rest/v1` for two. 0: all of it. */
export function partsOfPath(sql: string, parts: number): string {
  if (parts === 0) return sql;
  const more = parts === 1 ? '' : `(?:/[^/]*){0,${parts - 1}}`;
  return `REGEXP_EXTRACT(${sql}, r'^/?[^/]*${more}')`;
}
