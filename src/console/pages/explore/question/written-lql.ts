import { type Exploration, type Filter, pathNames } from './exploration.ts';
import { type ExploredTable, type Reached, reach } from './explored-table.ts';

/** What LQL says of an exploration, and what it can't say. */
export interface WrittenLql {
  /** Clauses of LQL. */
  readonly clauses: readonly string[];
  /** Why conditions are missing from it. */
  readonly unsaid: readonly string[];
}

/** What rows must be like. */
export type Conditions = Pick<Exploration, 'filters' | 'sql' | 'lql'>;

/** The filters in LQL: what it would understand in another way is left out, and told. */
export function writtenLql({ filters, sql, lql }: Conditions, table: ExploredTable): WrittenLql {
  const clauses: string[] = [];
  const unsaid: string[] = [];
  for (const filter of filters) {
    const written = lqlOf(filter, table);
    if (typeof written === 'string') clauses.push(written);
    else unsaid.push(written.reason);
  }
  if (lql.trim() !== '') clauses.push(lql.trim());
  if (sql.trim() !== '') unsaid.push('The condition in SQL has no form in LQL.');
  return { clauses, unsaid };
}

/** Clauses begin with these, so columns of the same name can't be filtered. */
const clauseNames: ReadonlySet<string> = new Set([
  't',
  'timestamp',
  'f',
  'from',
  'c',
  'chart',
  's',
  'select',
  'm',
]);

/** A filter in LQL, or why there is none. */
export function lqlOf(filter: Filter, table: ExploredTable): string | { readonly reason: string } {
  const { path, operator, value } = filter;
  const field = reach(table, path);
  const no = (reason: string) => ({ reason: `${path} ${operator}: ${reason}` });
  if (field === undefined) return no('there is no such field.');
  const names = pathNames(path);
  const isColumn = names.length === 1;
  const [first = '', ...inside] = names;
  const isTaken = isColumn ? clauseNames.has(first) : first === 'm';
  if (isTaken || !names.every((name) => /^[A-Za-z0-9_]+$/.test(name)))
    return no('LQL can’t write this name.');
  if (!table.fields.includes(field)) return no('LQL has no members of JSON.');
  if (!writable.has(field.type)) return no(`LQL has no values of the type ${field.type}.`);
  if (isList(field)) return no('lists of values have other operators in LQL.');
  if (/\p{Cc}/u.test(value)) return no('LQL can’t write control characters.');
  const name = [first === 'metadata' && !isColumn ? 'm' : first, ...inside].join('.');
  const isMany = field.lists.length > 0;
  const each = no('a minus in LQL is about some element of the list, and not about all of them.');
  switch (operator) {
    case '=':
      return `${name}:${written(value)}`;
    case '!=':
      return isMany ? each : `-${name}:${written(value)}`;
    case 'exists':
      return `-${name}:NULL`;
    case 'missing':
      return isMany ? each : `${name}:NULL`;
    case '>':
    case '>=':
    case '<':
    case '<=':
      return field.type === 'BOOL' ? no('BOOL has no order in LQL.') : `${name}:${operator}${written(value)}`;
    case 'contains':
    case 'within':
      return `${name}:~${inQuotes(patternOf(operator, value))}`;
    case 'lacks':
    case 'outside':
      return isMany
        ? each
        : `-${name}:~${inQuotes(patternOf(operator === 'lacks' ? 'contains' : 'within', value))}`;
  }
}

const writable: ReadonlySet<string> = new Set([
  ...['STRING', 'BOOL', 'INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
]);

/** Whether the field is itself a list, rather than in one. */
function isList({ sql, lists }: Reached): boolean {
  return lists.at(-1)?.alias === sql;
}

function patternOf(operator: 'contains' | 'within', value: string): string {
  const literal = value.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
  return operator === 'contains' ? literal : `^${literal}(/|$)`;
}

function written(value: string): string {
  return value !== 'NULL' && /^(\d+(\.\d+)?|[A-Za-z0-9_]+)$/.test(value) ? value : inQuotes(value);
}

function inQuotes(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
