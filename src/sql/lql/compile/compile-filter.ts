import { parseLql } from '../parse/parse-lql.ts';
import { lqlError } from '../syntax/lql-error.ts';
import { compileLql, type LqlTable } from './compile-lql.ts';
import type { RegexpMistake } from './query-scope.ts';

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
