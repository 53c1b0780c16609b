import { aggregates, type ChartClause, periods, shortTimeUnits } from '../syntax/syntax.ts';
import { parsePath } from './parse-path.ts';
import type { Scanner } from './scanner.ts';

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
  const unit = scanner.take(/[A-Za-z0-9_]*/y)?.[0] ?? '';
  const period = periods.find((known) => known === (shortTimeUnits.get(unit) ?? unit));
  if (period === undefined) scanner.fail('expected second, minute, hour or day', periodAt);
  if (!scanner.take(/\)/y)) scanner.fail('expected )');
  scanner.expectEnd('');
  return { kind: 'group_by', period, at };
}
