import { aggregates, type ChartClause, type Period } from '../syntax/syntax.ts';
import { parsePath } from './parse-path.ts';
import type { Scanner } from './scanner.ts';

const periodNames = new Map<string, Period>([
  ['second', 'second'],
  ['s', 'second'],
  ['minute', 'minute'],
  ['m', 'minute'],
  ['hour', 'hour'],
  ['h', 'hour'],
  ['day', 'day'],
  ['d', 'day'],
]);

/** Parses what follows `c:`: `aggregate '(' ('*' | path) ')'` or `group_by(t::period)`. */
export function parseChart(scanner: Scanner, at: number): ChartClause {
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
  const period = periodNames.get(scanner.take(/[A-Za-z0-9_]*/y)?.[0] ?? '');
  if (period === undefined) scanner.fail('expected second, minute, hour or day', periodAt);
  if (!scanner.take(/\)/y)) scanner.fail('expected )');
  scanner.expectEnd('');
  return { kind: 'group_by', period, at };
}
