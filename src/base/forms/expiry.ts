import { secondsByUnit } from './time-units.ts';

/** A longer time, in milliseconds, is probably a mistake. */
const maxMs = 100 * 366 * 86_400_000;

const span = /^([1-9]\d{0,6})([mhdw])$/;
/** A day ends when the next one begins. Times need a zone. */
const day = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Parses the expiry of a key: a duration such as `90d`, `12h`, `30m` or `2w`; the end of a day (UTC), such as `2026-12-31`;
 * or an instant, such as `2026-12-31T18:00:00Z`.
 *
 * @param now in milliseconds since the epoch
 * @returns milliseconds since the epoch; undefined for other texts and for days that don't exist
 */
export function parseExpiry(text: string, now: number): number | undefined {
  const milliseconds = parseTimeSpan(text);
  if (milliseconds !== undefined) return now + milliseconds;
  if (day.test(text) && isInCalendar(text)) return bounded(Date.parse(text) + 86_400_000, now);
  if (instant.test(text) && isInCalendar(text.slice(0, 10))) return bounded(Date.parse(text), now);
  return undefined;
}

export const expiryExpected =
  'expected a time from now such as 90d, 12h, 30m or 2w, a day such as 2026-12-31, at the end of which (UTC) it expires, or an instant such as 2026-12-31T18:00:00Z, at most 100 years from now';

/** Parses a duration such as `90d`, `12h`, `30m` or `2w` into milliseconds; undefined for every other text. */
export function parseTimeSpan(text: string): number | undefined {
  const [, count, unit = ''] = span.exec(text) ?? [];
  return count === undefined
    ? undefined
    : bounded(Number(count) * 1000 * (secondsByUnit[unit] ?? Number.NaN), 0);
}

export const timeSpanExpected = 'a duration such as 30m, 24h, 7d or 2w';

/** JavaScript would read February 31 as March 3. */
function isInCalendar(date: string): boolean {
  const time = Date.parse(date);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
}

function bounded(time: number, now: number): number | undefined {
  return Number.isFinite(time) && time - now <= maxMs ? time : undefined;
}
