import { microsPerDay } from '../../../../sql/values/time-units.ts';

/** Days of the proleptic Gregorian calendar, counted from 1970-01-01, which is a Thursday. */

export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The first and the last instant of the years 1 to 9999, in microseconds since 1970-01-01 00:00:00. */
export const firstMicros = -62_135_596_800_000_000n;
export const lastMicros = 253_402_300_799_999_999n;

/** The number of a day. Months and days out of range carry over, as in `Date`. */
export function dayNumber(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 86_400_000;
}

export function calendarDay(days: number): CalendarDay {
  const date = new Date(days * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 for Sunday to 6 for Saturday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

/** The first Monday of an ISO year: that of the week with January 4. */
export function isoYearStart(isoYear: number): number {
  const january4 = dayNumber(isoYear, 1, 4);
  return january4 - ((weekday(january4) + 6) % 7);
}

/** The ISO year of a day, and its week, starting at 1. */
export function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = days - ((weekday(days) + 6) % 7) + 3;
  const { year } = calendarDay(thursday);
  return { year, week: Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1 };
}

/** The week of the year, with weeks starting on that weekday. Days before the first such day are in week 0. */
export function weekOfYear(days: number, firstWeekday: number): number {
  const dayOfYear = days - dayNumber(calendarDay(days).year, 1, 1);
  const sinceWeekStart = (weekday(days) - firstWeekday + 7) % 7;
  return Math.floor((dayOfYear - sinceWeekStart + 7) / 7);
}

/** Days since 1970-01-01 and microseconds since midnight of a time in microseconds. */
export function splitMicros(micros: bigint): { readonly days: number; readonly ofDay: number } {
  const ofDay = ((micros % microsPerDay) + microsPerDay) % microsPerDay;
  return { days: Number((micros - ofDay) / microsPerDay), ofDay: Number(ofDay) };
}
