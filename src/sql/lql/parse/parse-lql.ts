import { lqlError } from '../syntax/lql-error.ts';
import {
  aggregates,
  type ChartClause,
  type Clause,
  type Filter,
  type FilterClause,
  type FromClause,
  type LqlQuery,
  type MessageFilter,
  periods,
  type SelectClause,
  shortTimeUnits,
} from '../syntax/syntax.ts';
import { parseField } from './parse-field.ts';
import { parseTime } from './parse-time.ts';
import { parsePath, parseQuoted, Scanner } from './scanner.ts';

/** Parses what follows `c:`: `aggregate '(' ('*' | path) ')'` or `group_by(t::period)`. */
function parseChart(scanner: Scanner, at: number): ChartClause {
  const nameAt = scanner.at;
  const name = scanner.take(/[A-Za-z0-9_]*/y)?.[0] ?? '';
  if (name === 'group_by') return parseGroupBy(scanner, at);
  const aggregate = aggregates.find((known) => known === name);
  if (aggregate === undefined) {
    scanner.fail(`expected one of ${aggregates.join(', ')} or group_by`, nameAt);
  }
  if (!scanner.take(/\(/y)) scanner.fail('expected (');
  const path = scanner.take(/\*/y) ? undefined : parsePath(scanner);
  if (path === undefined && aggregate !== 'count' && aggregate !== 'countd') {
    scanner.fail(`${aggregate} needs a field`, scanner.at - 1);
  }
  if (!scanner.take(/\)/y)) scanner.fail('expected )');
  scanner.expectEnd('');
  return { kind: 'aggregate', aggregate, path, at };
}

function parseGroupBy(scanner: Scanner, at: number): ChartClause {
  if (!scanner.take(/\(/y)) scanner.fail('expected (');
  if (!scanner.take(/(?:timestamp|t)(?![A-Za-z0-9_])/y)) scanner.fail('expected t: charts are by time');
  if (!scanner.take(/::/y)) scanner.fail('expected ::');
  const periodAt = scanner.at;
  const unit = scanner.take(/[A-Za-z0-9_]*/y)?.[0] ?? '';
  const period = periods.find((known) => known === (shortTimeUnits.get(unit) ?? unit));
  if (period === undefined) scanner.fail('expected second, minute, hour or day', periodAt);
  if (!scanner.take(/\)/y)) scanner.fail('expected )');
  scanner.expectEnd('');
  return { kind: 'group_by', period, at };
}

const word = /(?:\\"|[A-Za-z0-9._!%$^\\+[\]?(){}#&*,\-/<=>@;|])+/y;

/** Parses a word or quoted text that the message must contain, or after `~` a regular expression that it must match. */
function parseMessage(scanner: Scanner): MessageFilter {
  const match = scanner.take(/~/y) ? 'regexp' : 'contains';
  if (scanner.sees(/"/y)) {
    const text = parseQuoted(scanner);
    scanner.expectEnd(' after the quote');
    return { kind: 'message', match, text };
  }
  const [text] =
    scanner.take(word) ?? scanner.fail('expected a word; text with other characters is written in "quotes"');
  scanner.expectEnd('; text with other characters is written in "quotes"');
  return { kind: 'message', match, text };
}

/** The maximum number of clauses. */
const maxClauses = 100;
/** The maximum length in characters, equal to that of ad-hoc SQL. */
const maxLength = 128 * 1024;

/**
 * Parses an LQL text. Clauses are separated by white space.
 *
 * ```
 * query  := clause (white-space clause)*
 * clause := from | chart | select | '-'? (time | field | message)
 * ```
 *
 * @throws GatewayError BAD_USER_INPUT with the position of the error and what was expected
 */
export function parseLql(text: string): LqlQuery {
  if (text.length > maxLength) {
    throw lqlError(text, maxLength, `the text is longer than ${maxLength} characters`);
  }
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone !== null) throw lqlError(text, lone.index, 'expected valid Unicode');
  // Any white space is allowed around the text, but only some kinds inside it.
  const scanner = new Scanner(text.trimEnd());
  const clauses: Clause[] = [];
  scanner.take(/\s*/y);
  if (scanner.isAtEnd) scanner.fail('expected a clause, as error, m.level:error or f:edge_logs');
  while (!scanner.isAtEnd) {
    if (clauses.length === maxClauses) scanner.fail(`more than ${maxClauses} clauses`);
    clauses.push(parseClause(scanner));
    scanner.take(/[ \t\r\n]*/y);
  }
  return { clauses };
}

function parseClause(scanner: Scanner): Clause {
  const { at } = scanner;
  const negated = scanner.take(/-/y) !== undefined;
  if (scanner.sees(/(?:f|from|c|chart|s|select):/y)) {
    if (negated) scanner.fail('- is only possible before a filter', at);
    if (scanner.take(/(?:f|from):/y)) return parseFrom(scanner);
    if (scanner.take(/(?:c|chart):/y)) return parseChart(scanner, at);
    scanner.take(/(?:s|select):/y);
    return parseSelect(scanner, at);
  }
  if (negated && (scanner.isAtEnd || scanner.sees(/[ \t\r\n]/y))) {
    scanner.fail('expected a filter directly after the -');
  }
  return { kind: 'filter', negated, filter: parseFilter(scanner), at } satisfies FilterClause;
}

function parseFilter(scanner: Scanner): Filter {
  if (scanner.take(/(?:timestamp|t)(?=:)/y)) return parseTime(scanner);
  if (scanner.sees(/[A-Za-z0-9_.]+:/y)) return parseField(scanner);
  return parseMessage(scanner);
}

function parseFrom(scanner: Scanner): FromClause {
  const { at } = scanner;
  const [table] = scanner.take(/[A-Za-z_][A-Za-z0-9_]*/y) ?? scanner.fail('expected the name of a table');
  scanner.expectEnd('; names of tables hold letters, digits and _');
  return { kind: 'from', table, at };
}

/** Parses what follows `s:`: `('*' | path) ('@' alias)?`. */
function parseSelect(scanner: Scanner, at: number): SelectClause {
  if (scanner.take(/\*/y)) {
    if (scanner.sees(/@/y)) scanner.fail('* cannot be renamed');
    scanner.expectEnd('');
    return { kind: 'select', path: undefined, at };
  }
  const path = parsePath(scanner);
  if (!scanner.take(/@/y)) {
    scanner.expectEnd('; a field can be followed by @ and another name');
    return { kind: 'select', path, at };
  }
  const [alias] = scanner.take(/[A-Za-z0-9_]+/y) ?? scanner.fail('expected a name of letters, digits and _');
  scanner.expectEnd('; names hold letters, digits and _');
  return { kind: 'select', path, alias, at };
}
