import { daysInMonth } from '../../../../sql/values/civil-text.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerDay } from '../../../../sql/values/time-units.ts';
import { dayNumber, firstMicros, lastMicros } from './calendar.ts';
import { instantOfCivil } from './time-zone.ts';

/**
 * Texts of dates and times, in the forms that GoogleSQL casts: a date of `YYYY-[M]M-[D]D`, and a time of
 * `[H]H:[M]M:[S]S[.f]` with one to six digits, separated by `T`, `t` or one space. A time can be followed by `Z`, an
 * offset, or a space and a zone's name; a date alone by a space and an offset.
 */
const date = '(\\d{4})-(\\d{1,2})-(\\d{1,2})';
const time = '(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:\\.(\\d{1,6}))?';
const offset = '[+-]\\d{1,2}(?::\\d{1,2})?|[+-]\\d{4}';

const dateForm = new RegExp(`^${date}$`);
const timeForm = new RegExp(`^${time}$`);
const civilForm = new RegExp(`^${date}(?:[ Tt]${time})?$`);
const zonedForm = new RegExp(`^${date}(?:[ Tt]${time}([Zz]|${offset}| [A-Za-z]\\S*)?|( (?:${offset})))?$`);

/** Microseconds since 1970-01-01 00:00:00 of a DATE's text. */
export function readDate(text: string): bigint {
  const parts = dateForm.exec(text);
  return orFail(parts && midnight(parts), () => `Invalid date: '${text}'`);
}

/** Microseconds since midnight of a TIME's text. */
export function readTime(text: string): bigint {
  const parts = timeForm.exec(text);
  const micros = parts === null ? undefined : ofDay(parts.slice(1));
  return orFail(
    micros === undefined ? undefined : micros % microsPerDay,
    () => `Invalid time string "${text}"`,
  );
}

/** Microseconds since 1970-01-01 00:00:00 of a DATETIME's text. */
export function readDatetime(text: string): bigint {
  const parts = civilForm.exec(text);
  return orFail(parts && inRange(civil(parts)), () => `Invalid datetime string "${text}"`);
}

/** Microseconds since 1970-01-01 00:00:00 UTC of a TIMESTAMP's text, which is in UTC unless it contains a zone. */
export function readTimestamp(text: string): bigint {
  const { wall, zone } = zonedTime(text);
  return orFail(inRange(instantOfCivil(wall, zone ?? 'UTC')), () => `Invalid timestamp: '${text}'`);
}

/** The same for a text without a zone, in the given zone. */
export function readTimestampIn(text: string, zone: string): bigint {
  const { wall, zone: named } = zonedTime(text);
  if (named !== undefined) throw new Failure(`Timezone is not allowed in "${text}"`);
  return orFail(inRange(instantOfCivil(wall, zone)), () => `Invalid timestamp: '${text}'`);
}

function zonedTime(text: string): { readonly wall: bigint; readonly zone: string | undefined } {
  const parts = zonedForm.exec(text);
  const wall = parts === null ? undefined : civil(parts);
  if (parts === null || wall === undefined) throw new Failure(`Invalid timestamp: '${text}'`);
  const named = parts[8] ?? parts[9];
  return { wall, zone: named === 'Z' || named === 'z' ? 'UTC' : named?.trim() };
}

/** The civil time of a match whose first seven groups are those of a date and time. */
function civil(parts: RegExpExecArray): bigint | undefined {
  const day = midnight(parts);
  const micros = parts[4] === undefined ? 0n : ofDay(parts.slice(4));
  return day === undefined || micros === undefined ? undefined : day + micros;
}

function midnight([, yearText, monthText, dayText]: readonly string[]): bigint | undefined {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return isDay ? BigInt(dayNumber(year, month, day)) * microsPerDay : undefined;
}

/** A leap second is the first second of the next minute. */
function ofDay([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): bigint | undefined {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const micros = second === 60 ? 0 : Number((fraction ?? '').padEnd(6, '0'));
  return BigInt(((hour * 60 + minute) * 60 + second) * 1_000_000 + micros);
}

function inRange(micros: bigint | undefined): bigint | undefined {
  return micros === undefined || micros < firstMicros || micros > lastMicros ? undefined : micros;
}

function orFail(micros: bigint | null | undefined, message: () => string): bigint {
  if (micros === null || micros === undefined) throw new Failure(message());
  return micros;
}
