import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { microsByPart, microsPerDay } from '../../../../sql/values/time-units.ts';
import { literalSql } from '../../dialect/literal.ts';

/** The start of a part's week, as days to add to the Monday of the week before. */
const weekStarts: Readonly<Record<string, number>> = {
  WEEK: 6,
  WEEK_MONDAY: 0,
  WEEK_TUESDAY: 1,
  WEEK_WEDNESDAY: 2,
  WEEK_THURSDAY: 3,
  WEEK_FRIDAY: 4,
  WEEK_SATURDAY: 5,
  ISOWEEK: 0,
};

const truncations: Readonly<Record<string, string>> = {
  YEAR: 'year',
  ISOYEAR: 'isoyear',
  QUARTER: 'quarter',
  MONTH: 'month',
  DAY: 'day',
  DATE: 'day',
  HOUR: 'hour',
  MINUTE: 'minute',
  SECOND: 'second',
  MILLISECOND: 'milliseconds',
  MICROSECOND: 'microseconds',
};

const intervals: Readonly<Record<string, string>> = {
  YEAR: 'to_years',
  QUARTER: 'to_quarters',
  MONTH: 'to_months',
  WEEK: 'to_weeks',
  DAY: 'to_days',
  HOUR: 'to_hours',
  MINUTE: 'to_minutes',
  SECOND: 'to_seconds',
  MILLISECOND: 'to_milliseconds',
  MICROSECOND: 'to_microseconds',
};

/** Whether a part is shorter than a day, so that clock changes in a zone affect it. */
export function isClockPart(part: string): boolean {
  return part !== 'DAY' && part in microsByPart;
}

/** A civil time truncated to the start of its part. */
export function truncate(civil: string, part: string): string {
  const start = weekStarts[part];
  if (start === 0) return `date_trunc('week', ${civil})`;
  if (start !== undefined) {
    return `(date_trunc('week', ${civil} - INTERVAL ${start} DAY) + INTERVAL ${start} DAY)`;
  }
  const unit = truncations[part];
  if (unit === undefined) throw unsupported(`truncating to ${part}`);
  return `date_trunc('${unit}', ${civil})`;
}

/** The last day of the part that contains a civil time. */
export function lastDay(civil: string, part: string): string {
  const spans: Readonly<Record<string, string>> = { YEAR: '1 YEAR', QUARTER: '3 MONTH', MONTH: '1 MONTH' };
  const start = truncate(civil, part);
  if (part === 'ISOYEAR') return `(${truncate(`(${start} + INTERVAL 371 DAY)`, part)} - INTERVAL 1 DAY)`;
  return `(${start} + INTERVAL ${part in weekStarts ? '7 DAY' : spans[part]} - INTERVAL 1 DAY)`;
}

/** A number of parts as an interval. DuckDB requires 32-bit counts for its calendar parts. */
export function intervalOf(count: string, part: string): string {
  const make = intervals[part];
  if (make === undefined) throw unsupported(`an interval in ${part}`);
  return isClockPart(part) ? `${make}(${count})` : `${make}(CAST(${count} % ${2n ** 31n} AS INTEGER))`;
}

/** Microseconds of a part of a time of day. */
export function partMicros(part: string): bigint {
  const length = microsByPart[part];
  if (length === undefined) throw unsupported(`the part ${part} of a TIME`);
  return length;
}

/** The approximate absolute length of a number of parts, in microseconds. */
export function roughLength(count: bigint, part: string): bigint {
  const days: Readonly<Record<string, bigint>> = { WEEK: 7n, MONTH: 31n, QUARTER: 92n, YEAR: 366n };
  const length = microsByPart[part] ?? (days[part] ?? 1n) * microsPerDay;
  return length * (count < 0n ? -count : count);
}

/** A lower bound for the length of a number of parts, in microseconds, as SQL: zero for none, with the count's sign. */
export function leastLength(count: string, part: string): string {
  const days: Readonly<Record<string, bigint>> = { WEEK: 7n, MONTH: 28n, QUARTER: 90n, YEAR: 365n };
  return `(CAST(${count} AS HUGEINT) * ${microsByPart[part] ?? (days[part] ?? 1n) * microsPerDay})`;
}

/** The number of whole parts between two instants, rounded towards zero. */
export function instantDifference(later: string, earlier: string, part: string): string {
  const length = microsByPart[part];
  if (length === undefined) throw unsupported(`a difference of TIMESTAMPs in ${part}`);
  return `((epoch_us(${later}) - epoch_us(${earlier})) // ${literalSql({ kind: 'INT64' }, length)})`;
}

/** The number of part boundaries between two civil times. */
export function civilDifference(later: string, earlier: string, part: string): string {
  if (part in weekStarts) {
    return `(date_diff('day', ${truncate(earlier, part)}, ${truncate(later, part)}) // 7)`;
  }
  if (part === 'MILLISECOND')
    return `(date_diff('microsecond', ${truncate(earlier, part)}, ${truncate(later, part)}) // 1000)`;
  const unit = truncations[part];
  if (unit === undefined) throw unsupported(`a difference in ${part}`);
  return `date_diff('${unit}', ${earlier}, ${later})`;
}

/** A part of a civil time, with EXTRACT's result type. */
export function extract(civil: string, part: string): string {
  switch (part) {
    case 'DATE':
      return `CAST(${civil} AS DATE)`;
    case 'TIME':
      return `CAST(${civil} AS TIME)`;
    case 'DATETIME':
      return civil;
    case 'DAYOFWEEK':
      return `(dayofweek(${civil}) + 1)`;
    case 'DAYOFYEAR':
      return `date_part('doy', ${civil})`;
    case 'ISOWEEK':
      return `date_part('week', ${civil})`;
    case 'WEEK':
      return `CAST(strftime(${civil}, '%U') AS BIGINT)`;
    case 'WEEK_MONDAY':
      return `CAST(strftime(${civil}, '%W') AS BIGINT)`;
    case 'WEEK_TUESDAY':
    case 'WEEK_WEDNESDAY':
    case 'WEEK_THURSDAY':
    case 'WEEK_FRIDAY':
    case 'WEEK_SATURDAY': {
      // For weeks that start a day later, use the previous day: only the day's position in its year matters.
      const start = (weekStarts[part] ?? 0) + 1;
      const sinceStart = `((dayofweek(${civil}) + 7 - ${start}) % 7)`;
      return `((dayofyear(${civil}) - 1 - ${sinceStart} + 7) // 7)`;
    }
    case 'MILLISECOND':
      return `(date_part('microsecond', ${civil}) % 1000000 // 1000)`;
    case 'MICROSECOND':
      return `(date_part('microsecond', ${civil}) % 1000000)`;
    case 'YEAR':
    case 'ISOYEAR':
    case 'QUARTER':
    case 'MONTH':
    case 'DAY':
    case 'HOUR':
    case 'MINUTE':
    case 'SECOND':
      return `date_part('${part.toLowerCase()}', ${civil})`;
    default:
      throw unsupported(`EXTRACT of ${part}`);
  }
}
