import type { Period } from '../../access/caller/allowance.ts';

/** An hour, a day or a month of the calendar (UTC). */
export interface CalendarPeriod {
  /** As `2026-01-31T13`, `2026-01-31` or `2026-01`. */
  readonly name: string;
  /** In milliseconds since the epoch. */
  readonly start: number;
  /** The start of the next one. */
  readonly end: number;
}

const nameLengths = { hour: 13, day: 10, month: 7 };
const lengthsMs = { hour: 3_600_000, day: 86_400_000 };

/** @param time in milliseconds since the epoch */
export function periodAt(per: Period, time: number): CalendarPeriod {
  const date = new Date(time);
  const name = date.toISOString().slice(0, nameLengths[per]);
  if (per === 'month') {
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { name, start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
  }
  const length = lengthsMs[per];
  const start = Math.floor(time / length) * length;
  return { name, start, end: start + length };
}
