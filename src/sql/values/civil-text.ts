/**
 * DATE, TIME and DATETIME as text, in the forms that GoogleSQL casts from a string: a date of `YYYY-[M]M-[D]D` and a
 * time of `[H]H:[M]M:[S]S[.f]` with one to six fraction digits, separated by `T`, `t` or one space. Seconds are
 * required, there are no leap seconds, and days must be in the calendar.
 *
 * Source: BigQuery's lexical forms of date and time literals. Longer fractions are refused, not rounded.
 */

/** A day of the proleptic Gregorian calendar, years 1 to 9999. */
interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const datePattern = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const timePattern = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?$/;
const separator = /[Tt ]/;

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const microsPerSecond = 1_000_000;

/** Parses a date. Undefined if the text is not one. */
export function readDate(text: string): CivilDate | undefined {
  const parts = datePattern.exec(text);
  if (parts === null) return undefined;
  const date = { year: Number(parts[1]), month: Number(parts[2]), day: Number(parts[3]) };
  return isOnCalendar(date) ? date : undefined;
}

/** Parses a time of day, in microseconds since midnight. Undefined if the text is not one. */
export function readTime(text: string): number | undefined {
  const parts = timePattern.exec(text);
  if (parts === null) return undefined;
  const hours = Number(parts[1]);
  const minutes = Number(parts[2]);
  const seconds = Number(parts[3]);
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const micros = Number((parts[4] ?? '').padEnd(6, '0'));
  return ((hours * 60 + minutes) * 60 + seconds) * microsPerSecond + micros;
}

/** A DATE's text in the form of `Value`, `YYYY-MM-DD`. Undefined if the text is not a date. */
export function parseDate(text: string): string | undefined {
  const date = readDate(text);
  return date && formatDate(date);
}

/** A TIME's text in the form of `Value`, `HH:MM:SS[.ffffff]`. Undefined if the text is not a time. */
export function parseTime(text: string): string | undefined {
  const micros = readTime(text);
  return micros === undefined ? undefined : formatTime(micros);
}

/**
 * A DATETIME's text in the form of `Value`, `YYYY-MM-DDTHH:MM:SS[.ffffff]`. Undefined if the text is not a DATETIME. A
 * date alone means its midnight. A zone is refused: a DATETIME has none.
 */
export function parseDatetime(text: string): string | undefined {
  const { dateText, timeText } = splitDatetime(text);
  const date = readDate(dateText);
  const micros = timeText === undefined ? 0 : readTime(timeText);
  return date === undefined || micros === undefined ? undefined : `${formatDate(date)}T${formatTime(micros)}`;
}

/** The date and the time. The time is undefined if there is only a date. */
export function splitDatetime(text: string): { dateText: string; timeText: string | undefined } {
  const at = text.search(separator);
  if (at === -1) return { dateText: text, timeText: undefined };
  return { dateText: text.slice(0, at), timeText: text.slice(at + 1) };
}

/** Days from 1970-01-01 to the date, negative before it. */
export function daysSinceEpoch({ year, month, day }: CivilDate): number {
  const past = year - 1;
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  const daysBefore = daysBeforeMonth[month - 1] ?? 0;
  const leapDayPassed = month > 2 && isLeapYear(year) ? 1 : 0;
  return past * 365 + leapDays + daysBefore + leapDayPassed + day - 719_163;
}

function isOnCalendar({ year, month, day }: CivilDate): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function formatDate({ year, month, day }: CivilDate): string {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

function formatTime(micros: number): string {
  const seconds = Math.floor(micros / microsPerSecond);
  const fraction = micros % microsPerSecond;
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = clock.map(twoDigits).join(':');
  return fraction === 0 ? text : `${text}.${String(fraction).padStart(6, '0')}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
