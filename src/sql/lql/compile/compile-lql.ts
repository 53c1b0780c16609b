import { bySimilarity } from '../../../base/text/suggest.ts';
import { timeAt } from '../../columns/time-of-rows.ts';
import { identifier } from '../../text/identifier.ts';
import type { Column, ScalarType } from '../../values/type.ts';
import { parseLql } from '../parse/parse-lql.ts';
import { lqlError, shortened } from '../syntax/lql-error.ts';
import type { ChartClause, FilterClause, FromClause, LqlQuery, SelectClause } from '../syntax/syntax.ts';
import { chartQuery } from './chart-query.ts';
import { rowConditions } from './filters.ts';
import { type QueryScope, type RegexpMistake, reach, rowName, type Unnesting } from './query-scope.ts';
import { type Refuse, resolvePath } from './resolve-path.ts';

/** A table that LQL can read. */
export interface LqlTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The column with the time of a row, if it isn't `timestamp`. */
  readonly time?: string;
}

/**
 * Compiles an LQL text to a GoogleSQL query.
 *
 * @param tables the tables of the endpoint
 * @param regexpMistake checks regular expressions as the engine does; without it they are not checked
 * @throws GatewayError BAD_USER_INPUT with the error and its position
 */
export function compileLql(
  text: string,
  tables: readonly LqlTable[],
  regexpMistake: RegexpMistake = () => undefined,
): string {
  const { clauses } = parseLql(text);
  const refuse: Refuse = (at, message) => {
    throw lqlError(text, at, message);
  };
  const { name, columns, time } = chooseTable({ clauses }, tables, refuse);
  const filters = clauses.filter((clause): clause is FilterClause => clause.kind === 'filter');
  const charts = clauses.filter(
    (clause): clause is ChartClause => clause.kind === 'aggregate' || clause.kind === 'group_by',
  );
  const selects = clauses.filter((clause): clause is SelectClause => clause.kind === 'select');
  const row = rowName([...columns.map((column) => column.name), ...selects.map(({ alias }) => alias ?? '')]);
  const scope: QueryScope = {
    table: name,
    row,
    columns,
    refuse,
    regexpMistake,
    time: timeColumn(columns, time),
  };
  // A chart has its own columns, but a selected field must exist nevertheless.
  for (const { path } of selects) if (path !== undefined) resolvePath(path, columns, refuse);
  return charts.length > 0 ? chartQuery(charts, filters, scope) : selectQuery(selects, filters, scope);
}

function chooseTable({ clauses }: LqlQuery, tables: readonly LqlTable[], refuse: Refuse): LqlTable {
  const [from, another] = clauses.filter((clause): clause is FromClause => clause.kind === 'from');
  if (another !== undefined) refuse(another.at, 'only one table can be read');
  const names = tables.map(({ name }) => name);
  const [only] = tables;
  if (only === undefined) return refuse(0, 'the endpoint has no tables to read');
  if (from === undefined) {
    if (tables.length === 1) return only;
    return refuse(0, `choose a table with f: and its name, one of ${names.join(', ')}`);
  }
  const chosen = tables.find(({ name }) => name === from.table);
  return (
    chosen ??
    refuse(
      from.at,
      `there is no table ${shortened(from.table)}; there are ${bySimilarity(from.table, names).join(', ')}`,
    )
  );
}

/** The column with the time of a row. */
export function timeColumn(
  columns: readonly Column[],
  named?: string,
): { readonly name: string; readonly type: ScalarType } | undefined {
  const column = columns[timeAt(columns, named)];
  return column as { name: string; type: ScalarType } | undefined;
}

/**
 * The query for rows, newest first. Returns each row that passes all filters once or, if fields of lists are selected,
 * once per element. A filter on elements matches a row if it matches some element.
 */
function selectQuery(
  selects: readonly SelectClause[],
  filters: readonly FilterClause[],
  scope: QueryScope,
): string {
  const { columns, unnestings } = selection(selects, scope);
  const joins = unnestings.map(({ list, alias }) => `LEFT JOIN UNNEST(${list}) AS ${alias}`);
  const conditions = rowConditions(filters, scope);
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
