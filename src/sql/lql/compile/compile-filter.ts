import { parseLql } from '../parse/parse-lql.ts';
import { lqlError } from '../syntax/lql-error.ts';
import { compileLql, type LqlTable, timeColumn } from './compile-lql.ts';
import { rowConditions } from './filters.ts';
import type { RegexpMistake } from './query-scope.ts';
import type { Refuse } from './resolve-path.ts';

/**
 * Compiles an LQL text that only filters to a GoogleSQL query: all columns of the rows of a table that pass.
 *
 * @throws GatewayError BAD_USER_INPUT with the error and its position, also for clauses that select or aggregate
 */
export function compileLqlFilter(text: string, table: LqlTable, regexpMistake?: RegexpMistake): string {
  for (const { kind, at } of parseLql(text).clauses) {
    if (kind === 'filter' || kind === 'from') continue;
    throw lqlError(text, at, 'only filters are possible here: the rows keep all of their columns');
  }
  return compileLql(text, [table], regexpMistake);
}

/**
 * An LQL text that only filters, as GoogleSQL conditions on a row that must all be true.
 *
 * @param row the alias of the row in SQL
 * @throws GatewayError BAD_USER_INPUT with the error and its position, also for clauses that do anything else
 */
export function lqlConditions(
  text: string,
  { name, columns, time }: LqlTable,
  row: string,
  regexpMistake: RegexpMistake,
): readonly string[] {
  const refuse: Refuse = (at, message) => {
    throw lqlError(text, at, message);
  };
  const filters = parseLql(text).clauses.map((clause) => {
    if (clause.kind === 'filter') return clause;
    return refuse(clause.at, 'only filters are possible here: the rows and their columns are given');
  });
  const scope = { table: name, row, columns, refuse, regexpMistake, time: timeColumn(columns, time) };
  return rowConditions(filters, scope);
}
