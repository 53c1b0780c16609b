import { identifier } from '../../text/identifier.ts';
import type { FilterClause, SelectClause } from '../syntax/syntax.ts';
import { rowFilters } from './filters.ts';
import type { QueryScope } from './query-scope.ts';
import { resolvePath } from './resolve-path.ts';
import { reach, type Unnesting } from './unnest.ts';

/**
 * The query for rows, newest first. Returns each row that passes all filters once or, if fields of lists are selected,
 * once per element. A filter on elements matches a row if it matches some element.
 */
export function selectQuery(
  selects: readonly SelectClause[],
  filters: readonly FilterClause[],
  scope: QueryScope,
): string {
  const { columns, unnestings } = selection(selects, scope);
  const joins = unnestings.map(({ list, alias }) => `LEFT JOIN UNNEST(${list}) AS ${alias}`);
  const conditions = rowFilters(filters, scope).map(({ unnestings: lists, condition }) => {
    if (lists.length === 0) return condition;
    const from = lists.map(({ list, alias }) => `UNNEST(${list}) AS ${alias}`).join(', ');
    return `EXISTS (SELECT 1 FROM ${from} WHERE ${condition})`;
  });
  return [
    `SELECT ${columns.join(', ')}`,
    `FROM ${identifier(scope.table)} AS ${scope.row}`,
    ...joins,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join('\n  AND ')}`] : []),
    ...(scope.time === undefined ? [] : [`ORDER BY ${scope.row}.${identifier(scope.time.name)} DESC`]),
  ].join('\n');
}

function selection(selects: readonly SelectClause[], scope: QueryScope) {
  if (selects.length === 0) return { columns: [`${scope.row}.*`], unnestings: [] };
  const unnestings: Unnesting[] = [];
  // Fields of the same element are in the same row.
  const nameOf = (list: string): string => {
    const known = unnestings.find((unnesting) => unnesting.list === list);
    if (known !== undefined) return known.alias;
    const alias = `s${unnestings.length + 1}`;
    unnestings.push({ list, alias });
    return alias;
  };
  const columns = new Map<string, string>();
  const add = (name: string, sql: string, at: number) => {
    const known = columns.get(name.toLowerCase());
    if (known !== undefined && known !== sql)
      scope.refuse(at, `there is another column ${name} in the result`);
    columns.set(name.toLowerCase(), sql);
  };
  for (const { path, alias, at } of selects) {
    if (path === undefined) {
      for (const { name } of scope.columns) add(name, `${scope.row}.${identifier(name)}`, at);
      continue;
    }
    const field = resolvePath(path, scope.columns, scope.refuse);
    const { sql } = reach(field, scope.row, nameOf);
    const name = alias ?? field.steps.map((step) => step.name).join('_');
    add(name, field.steps.length === 1 && alias === undefined ? sql : `${sql} AS ${identifier(name)}`, at);
  }
  return { columns: [...columns.values()], unnestings };
}
