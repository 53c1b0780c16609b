import type { ScalarType } from '../../sql/type.ts';
import type { TimeUnit, When } from '../syntax.ts';
import { timestampLiteral } from './sql-text.ts';

/** The current time, cut to a second; the same in all of a query. */
const now = 'TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), SECOND)';
const lastSecond = 'INTERVAL 86399 SECOND';

/** Units of one length, which a TIMESTAMP can be moved by. */
const shortUnits: ReadonlySet<TimeUnit> = new Set(['second', 'minute', 'hour', 'day']);

/** So many years before now there are dates; more may lead to before the year 1, from which on there are any. */
const safeYears = 1000;

/** How the start of a unit is written, weeks beginning on Monday. */
const truncation: Readonly<Partial<Record<TimeUnit, string>>> = { week: 'WEEK(MONDAY)' };

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

function startOf(unit: TimeUnit): string {
  return `TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), ${truncation[unit] ?? unit.toUpperCase()})`;
}

/** Counted from the start of the current second, minute, hour or, for all longer units, day. */
function startOfLast(count: number, unit: TimeUnit): string {
  const interval = `INTERVAL ${count} ${unit.toUpperCase()}`;
  if (shortUnits.has(unit)) return `TIMESTAMP_SUB(${startOf(unit)}, ${interval})`;
  // A TIMESTAMP has no months to count, a DATE has.
  const start = `DATE_SUB(CURRENT_DATE(), ${interval})`;
  if (unit !== 'year' || count < safeYears) return `TIMESTAMP(${start})`;
  return `TIMESTAMP(IFNULL(SAFE.${start}, DATE '0001-01-01'))`;
}
