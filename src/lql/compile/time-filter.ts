import type { ScalarType } from '../../sql/type.ts';
import type { When } from '../syntax.ts';
import { timestampLiteral } from './sql-text.ts';

/** The current time, cut to a second; the same in all of a query. */
const now = 'TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), SECOND)';
const lastSecond = 'INTERVAL 86399 SECOND';

/** How the start of a unit is written, weeks beginning on Monday. */
const truncation: Readonly<Record<string, string>> = { week: 'WEEK(MONDAY)' };

/**
 * The condition that a time of the column is the one that is meant. Times relative to now are written by
 * CURRENT_TIMESTAMP: the same LQL is the same query, and its plan and its result can be used again.
 *
 * Source of the meanings: contract section (e), timestamps.
 */
export function timeCondition(time: string, type: ScalarType, when: When): string {
  // A date is its midnight.
  const column = type.kind === 'DATE' ? `TIMESTAMP(${time})` : time;
  const typed = (timestamp: string) => (type.kind === 'DATETIME' ? `DATETIME(${timestamp})` : timestamp);
  const between = (from: string, to: string) => `${column} BETWEEN ${typed(from)} AND ${typed(to)}`;
  switch (when.kind) {
    case 'compare':
      return `${column} ${when.comparison} ${typed(timestampLiteral(when.time.micros))}`;
    case 'between':
      return between(timestampLiteral(when.from.micros), timestampLiteral(when.to.micros));
    case 'now':
      return `${column} ${when.comparison} ${typed(now)}`;
    case 'today':
      return between(startOf('day'), `TIMESTAMP_ADD(${startOf('day')}, ${lastSecond})`);
    case 'yesterday': {
      const start = `TIMESTAMP_SUB(${startOf('day')}, INTERVAL 1 DAY)`;
      return between(start, `TIMESTAMP_SUB(${startOf('day')}, INTERVAL 1 SECOND)`);
    }
    case 'this':
      return between(startOf(when.unit), now);
    case 'last':
      return between(startOfLast(when.count, when.unit), now);
  }
}

function startOf(unit: string): string {
  return `TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), ${truncation[unit] ?? unit.toUpperCase()})`;
}

/** Counted from the start of the current second, minute, hour or, for all longer units, day. */
function startOfLast(count: number, unit: string): string {
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
    case 'day':
      return `TIMESTAMP_SUB(${startOf(unit)}, INTERVAL ${count} ${unit.toUpperCase()})`;
    case 'year':
      // So many years may lead to before the first one, from which on there are dates.
      if (count >= 1000) {
        const date = `SAFE.DATE_SUB(CURRENT_DATE(), INTERVAL ${count} YEAR)`;
        return `TIMESTAMP(IFNULL(${date}, DATE '0001-01-01'))`;
      }
    // falls through
    default:
      // A TIMESTAMP has no months to count, a DATE has.
      return `TIMESTAMP(DATE_SUB(CURRENT_DATE(), INTERVAL ${count} ${unit.toUpperCase()}))`;
  }
}
