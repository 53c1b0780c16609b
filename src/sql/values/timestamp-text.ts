import { daysSinceEpoch, readDate, readTime, splitDatetime } from './civil-text.ts';
import { microsPerDay, microsPerMinute } from './time-units.ts';

const zonePattern = /^(.*?)( ?(?:[Zz]|UTC)| ?([+-])(\d{1,2})(?::?(\d{2}))?)?$/;

/** 0001-01-01 00:00:00 UTC, the first instant of a TIMESTAMP. */
export const minTimestampMicros = -62_135_596_800_000_000n;
/** 9999-12-31 23:59:59.999999 UTC, the last instant of a TIMESTAMP. */
export const maxTimestampMicros = 253_402_300_799_999_999n;
/** BigQuery's widest offset from UTC. */
const maxOffsetMinutes = 14 * 60;

/**
 * Parses a TIMESTAMP, in microseconds since 1970-01-01 00:00:00 UTC. Undefined if the text is not one.
 *
 * The forms are those of RFC 3339 and of GoogleSQL's cast from a string: a date, or a date and a time as parsed by
 * `civil-text.ts`, followed by nothing (UTC), `Z`, `UTC` or an offset of `±H[H]`, `±H[H]:MM` or `±HHMM`, up to fourteen
 * hours, with or without one space before it. Names of time zones and fractions finer than a microsecond are rejected.
 * The instant must be in the years 1 to 9999 of UTC.
 */
export function parseTimestamp(text: string): bigint | undefined {
  const { dateText, timeText } = splitDatetime(text);
  const date = readDate(dateText);
  if (date === undefined) return undefined;

  const day = BigInt(daysSinceEpoch(date)) * microsPerDay;
  if (timeText === undefined) return day;

  const zoned = zonePattern.exec(timeText);
  const timeOfDay = readTime(zoned?.[1] ?? '');
  const offset = offsetMinutes(zoned?.[3], zoned?.[4], zoned?.[5]);
  if (timeOfDay === undefined || offset === undefined) return undefined;

  const micros = day + BigInt(timeOfDay) - BigInt(offset) * microsPerMinute;
  return micros < minTimestampMicros || micros > maxTimestampMicros ? undefined : micros;
}

function offsetMinutes(sign: string | undefined, hours = '0', minutes = '0'): number | undefined {
  const size = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || size > maxOffsetMinutes) return undefined;
  return sign === '-' ? -size : size;
}
