import type { ExploredTable, Reached } from './explored-table.ts';

/** Pieces of queries in GoogleSQL. */

/** The `WHERE` clause of conditions that must all be true. */
export function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `\nWHERE ${conditions.join('\n  AND ')}`;
}

/**
 * The rows that pass, beside the elements of lists that have a field: from `FROM` on. Rows without elements stay, with NULL.
 *
 * @param field of `ofRow`; undefined: the rows alone
 * @param which all elements, or only the first ones: then each row is there once
 */
export function rowsWith(
  { from, alias: row }: Pick<ExploredTable, 'from' | 'alias'>,
  field: Reached | undefined,
  conditions: readonly string[],
  which: 'all' | 'first',
): string {
  const lists = field?.lists ?? [];
  const rows = `FROM ${from}${whereOf(conditions)}`;
  if (lists.length === 0) return rows;
  const places = lists.map(({ alias }) => `${alias}_place`);
  const joins = lists.map(({ sql, alias }, index) => {
    const place = which === 'first' ? ` WITH OFFSET AS ${places[index]}` : '';
    return `\n  LEFT JOIN UNNEST(${sql}) AS ${alias}${place}`;
  });
  const first = which === 'first' ? places.map((place) => `IFNULL(${place}, 0) = 0`) : [];
  // The conditions are apart: elements may have fields with the names of columns.
  return `FROM (\n  SELECT *\n  ${rows.replaceAll('\n', '\n  ')}\n) AS ${row}${joins.join('')}${whereOf(first)}`;
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
