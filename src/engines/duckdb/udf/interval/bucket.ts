import { Failure } from '../../../../sql/regexp/syntax.ts';
import { type Interval, microsPerDay } from '../js/interval.ts';
import { calendarDay, dayNumber, daysInMonth, splitMicros } from '../time/calendar.ts';

/** The types that support buckets. */
export type BucketKind = 'DATE' | 'DATETIME' | 'TIMESTAMP';

/**
 * The start of the bucket that contains a time, with buckets of one width in both directions from an origin. Times are
 * in microseconds since 1970-01-01 00:00:00.
 *
 * @throws Failure for a width that isn't one positive part that the type supports
 */
export function bucketStart(time: bigint, width: Interval, origin: bigint, kind: BucketKind): bigint {
  const { months, days, micros } = width;
  if (months !== 0 && kind === 'TIMESTAMP')
    throw new Failure('Bucket width INTERVAL with non-zero MONTH part is not allowed');
  if (micros !== 0n && kind === 'DATE')
    throw new Failure(
      'Only DAY, WEEK, MONTH, QUARTER and YEAR parts are allowed in a bucket width of DATE_BUCKET',
    );
  if (days !== 0 && micros !== 0n && months === 0)
    throw new Failure('Bucket width INTERVAL with mixed DAY and MICROSECOND parts is not allowed');
  if ([months !== 0, days !== 0, micros !== 0n].filter(Boolean).length !== 1)
    throw new Failure('Exactly one non-zero INTERVAL part in bucket width is required');
  if (months < 0 || days < 0 || micros < 0n)
    throw new Failure('Negative bucket width INTERVAL is not allowed');
  if (months !== 0) return monthBucket(time, months, origin);
  const length = BigInt(days) * microsPerDay + micros;
  const rest = (((time - origin) % length) + length) % length;
  return time - rest;
}

/** A bucket begins on the origin's day of the month, or on the last day of a shorter month. */
function monthBucket(time: bigint, months: number, origin: bigint): bigint {
  const { days, ofDay } = splitMicros(origin);
  const first = calendarDay(days);
  const { year, month } = calendarDay(splitMicros(time).days);
  const start = (count: number) => {
    const index = first.year * 12 + first.month - 1 + count * months;
    const [startYear, startMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1];
    const day = Math.min(first.day, daysInMonth(startYear, startMonth));
    return BigInt(dayNumber(startYear, startMonth, day)) * microsPerDay + BigInt(ofDay);
  };
  const count = Math.floor(((year - first.year) * 12 + month - first.month) / months);
  const found = start(count);
  return found > time ? start(count - 1) : found;
}
