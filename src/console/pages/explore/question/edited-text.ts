import { lqlClauses } from '../../../../sql/editing/lql-filter.ts';
import { filterCondition } from './conditions.ts';
import type { Filter } from './exploration.ts';
import type { ExploredTable } from './explored-table.ts';
import { type Conditions, lqlOf, writtenLql } from './written-lql.ts';

const separator = '\nAND ';

/** The filters and the condition of an exploration in SQL, one below the other. Times and LQL are apart from it. */
export function sqlText({ filters, sql }: Conditions, table: ExploredTable): string {
  const written = filters.flatMap((filter) => filterCondition(filter, table).sql ?? []);
  return [...written, ...(sql.trim() === '' ? [] : [sql.trim()])].join(separator);
}

/** Reads an edited text of `sqlText`: filters that stand in it as they were stay filters, the rest becomes one condition. */
export function readSqlText(text: string, before: Conditions, table: ExploredTable): Conditions {
  const parts = text.trim().split(separator);
  const known = new Map(before.filters.map((filter) => [filterCondition(filter, table).sql, filter]));
  const others = parts.filter((part) => !known.has(part));
  // What isn't complete by itself, or binds weaker than AND, gives its neighbours another meaning.
  if (!others.every(isComplete)) return { filters: [], sql: text.trim(), lql: before.lql };
  return {
    filters: parts.flatMap((part) => known.get(part) ?? []),
    sql: others.join(separator),
    lql: before.lql,
  };
}

function isComplete(part: string): boolean {
  const count = (character: string) => part.split(character).length - 1;
  const isBalanced = count('(') === count(')') && count('[') === count(']');
  const hasWholeQuotes = [`'`, '"', '`'].every((quote) => count(quote) % 2 === 0);
  const isSimple = !/\b(or|between|case)\b|--|#|\/\*|\\|'''|"""/i.test(part);
  return isBalanced && hasWholeQuotes && isSimple;
}

/** The filters of an exploration in LQL: those that it can say. */
export function lqlText(edited: Conditions, table: ExploredTable): string {
  return writtenLql({ ...edited, sql: '' }, table).clauses.join(' ');
}

/**
 * Reads an edited text of `lqlText`. Filters that LQL can't say stay.
 *
 * @throws Error that says what is wrong with the text, and where
 */
export function readLqlText(text: string, before: Conditions, table: ExploredTable): Conditions {
  const clauses = text.trim() === '' ? [] : lqlClauses(text);
  const isSaid = (filter: Filter) => typeof lqlOf(filter, table) === 'string';
  const known = new Map(before.filters.filter(isSaid).map((filter) => [lqlOf(filter, table), filter]));
  return {
    filters: [
      ...before.filters.filter((filter) => !isSaid(filter)),
      ...clauses.flatMap((clause) => known.get(clause) ?? []),
    ],
    sql: before.sql,
    lql: clauses.filter((clause) => !known.has(clause)).join(' '),
  };
}
