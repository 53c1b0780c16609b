import { microsPerDay, microsPerHour } from '../../../sql/values/time-units.ts';
import { floored } from '../bounds/known-value.ts';

/** How many days are read at first, if earlier runs haven't shown how many are needed. */
export const widths: readonly number[] = [1, 8, 64, 512];

/**
 * Where the last days before a time begin. A table has a partition for each day: a part of one costs as much as all of it. The first
 * two hours of a day have few rows, so they don't count as a day.
 */
export function beginOf(end: bigint, days: number): bigint {
  return floored(end - 2n * microsPerHour, microsPerDay) - BigInt(days - 1) * microsPerDay;
}

/** How many last days before a time have all rows from another time on, on the next day, too. */
export function daysFrom(end: bigint, from: bigint): number {
  const distance = beginOf(end, 1) - floored(from, microsPerDay);
  return Math.max(1, Number(distance / microsPerDay) + 2);
}

/** The days of a range of times, if it is limited. */
export function daysBetween(lower: bigint | undefined, end: bigint): number {
  return lower === undefined ? Number.POSITIVE_INFINITY : Number((end - lower) / microsPerDay) + 1;
}
