import { timestampLiteral } from '../../text/sql-text.ts';
import type { ScalarType } from '../../values/type.ts';
import type { TimeUnit, When } from '../syntax/syntax.ts';

/** The current time, truncated to a second. It is the same throughout a query. */
const now = 'TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), SECOND)';
const lastSecond = 'INTERVAL 86399 SECOND';

/** Units of fixed length, which can be added to a TIMESTAMP. */
const shortUnits: ReadonlySet<TimeUnit> = new Set(['second', 'minute', 'hour', 'day']);

/**
 * Going back fewer years than this always gives a valid date. More may lead before the year 1, the lowest valid one.
 */
const safeYears = 1000;

/** Arguments of TIMESTAMP_TRUNC that differ from the unit's name: weeks begin on Monday. */
const truncation: Readonly<Partial<Record<TimeUnit, string>>> = { week: 'WEEK(MONDAY)' };

/**
 * The condition that a time column matches the clause. Times relative to now use CURRENT_TIMESTAMP: equal LQL texts
 * become equal queries, so that plans and results can be reused.
 * The table of times in docs/lql.md says what each means.
 */
export function timeCondition(time: string, type: ScalarType, when: When): string {
  // A DATE compares as its midnight.
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

/** Counts from the start of the current second, minute or hour, and for all longer units from the start of the day. */
function startOfLast(count: number, unit: TimeUnit): string {
  const interval = `INTERVAL ${count} ${unit.toUpperCase()}`;
  if (shortUnits.has(unit)) return `TIMESTAMP_SUB(${startOf(unit)}, ${interval})`;
  // TIMESTAMP arithmetic has no months; DATE arithmetic has.
  const start = `DATE_SUB(CURRENT_DATE(), ${interval})`;
  if (unit !== 'year' || count < safeYears) return `TIMESTAMP(${start})`;
  return `TIMESTAMP(IFNULL(SAFE.${start}, DATE '0001-01-01'))`;
}
