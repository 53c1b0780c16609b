import { parseTimestamp } from '../../../sql/values/timestamp-text.ts';

/**
 * The time of a text, in microseconds since 1970: in one of GoogleSQL's forms, RFC 3339's, or a common form of logs and mail,
 * such as `02/Jan/2006:15:04:05 -0700` and `Mon, 02 Jan 2006 15:04:05 GMT`. Parts of a microsecond are dropped. A text
 * without an offset is in UTC. Undefined for other texts.
 */
export function microsOfText(text: string): bigint | undefined {
  const micros = parseTimestamp(withMicros(text));
  if (micros !== undefined || text.length < minLength || text.length > maxLength) return micros;
  const usual = usualForm(text);
  return usual === undefined ? undefined : parseTimestamp(withMicros(usual));
}

/** Whether a text is a time of `microsOfText` without an offset from UTC. */
export function hasNoOffset(text: string): boolean {
  return !/(?:[Zz]|UTC|GMT|[T\s:]\d\d(?:[.,]\d+)?\s?[+-]\d\d?(?::?\d\d)?|[+-]\d{4}(?: \d{4})?)$/.test(
    text.replace(/ (?:UTC|GMT) \d{4}$/, ' UTC'),
  );
}

function withMicros(text: string): string {
  return text.replace(/([.]\d{6})\d+/, '$1');
}

const [minLength, maxLength] = [15, 50];

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const time = String.raw`(?<time>\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)`;
const zone = String.raw`(?: ?(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?`;
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?';
const month = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';

/** The forms besides those of GoogleSQL. */
const forms: readonly RegExp[] = [
  // Web servers: 01/Jul/1995:00:00:01 -0400
  String.raw`(?<day>\d\d?)/${month}/(?<year>\d{4})[: ]${time}${zone}`,
  // RFC 5322, HTTP and others: Mon, 02 Jan 2006 15:04:05 GMT; 02-Jan-2006 15:04:05
  String.raw`${weekday}(?<day>\d\d?)[ -]${month}[a-z]*[ -](?<year>\d{4})[ :]${time}${zone}`,
  // Unix: Mon Jan  2 15:04:05 2006; Mon Jan  2 15:04:05 UTC 2006; Mon Jan 02 15:04:05 +0000 2006
  String.raw`${weekday}${month}[a-z]* +(?<day>\d\d?) ${time}${zone} (?<year>\d{4})`,
  // Go and nginx: 2006/01/02 15:04:05; Python and Java: 2006-01-02 15:04:05,123
  String.raw`(?<year>\d{4})[/-](?<number>\d\d)[/-](?<day>\d\d)[T ]${time}${zone}`,
  // Without seconds, as people and spreadsheets write them: 2006-01-02 15:04
  String.raw`(?<year>\d{4})[/-](?<number>\d\d)[/-](?<day>\d\d)[T ](?<minute>\d\d:\d\d)${zone}`,
  // ISO 8601's basic form: 20060102T150405Z
  String.raw`(?<year>\d{4})(?<number>\d\d)(?<day>\d\d)T(?<hours>\d\d)(?<minutes>\d\d)(?<seconds>\d\d(?:[.,]\d{1,9})?)${zone}`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/** The text in RFC 3339's form. Undefined if it is in none of the forms. */
function usualForm(text: string): string | undefined {
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts === undefined) continue;
    const number = parts.number ?? String(monthNames.indexOf((parts.month ?? '').toLowerCase()) + 1);
    const whole = parts.time ?? (parts.minute && `${parts.minute}:00`);
    const clock = whole ?? `${parts.hours}:${parts.minutes}:${parts.seconds}`;
    const offset = (parts.zone ?? 'Z').replace(/^(?:UTC|GMT)$/i, 'Z');
    return `${parts.year}-${number.padStart(2, '0')}-${parts.day?.padStart(2, '0')}T${clock.replace(',', '.')}${offset}`;
  }
  return undefined;
}
