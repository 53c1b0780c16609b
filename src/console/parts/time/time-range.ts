/** A span of time, in milliseconds since the epoch: `to` is not within it. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Where days begin, and how times are written. `local` is the zone of the browser. */
export type Zone = 'utc' | 'local';

const spans = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const spanNames = { m: 'minute', h: 'hour', d: 'day' } as const;
type SpanUnit = keyof typeof spans;

const calendars = {
  today: 'Today',
  yesterday: 'Yesterday',
  'this-week': 'This week',
  'last-week': 'Last week',
  'this-month': 'This month',
  'last-month': 'Last month',
} as const;
type Calendar = keyof typeof calendars;

/** A range as somebody has chosen it. All but the fixed one move with the clock. */
export type RangeChoice =
  | { readonly kind: 'last'; readonly count: number; readonly unit: SpanUnit }
  | { readonly kind: 'calendar'; readonly name: Calendar }
  | ({ readonly kind: 'fixed' } & TimeRange);

/** The texts of the choices that a picker offers. */
export const presets: readonly string[] = ['15m', '1h', '6h', '24h', '7d', '30d', ...Object.keys(calendars)];

/** As JavaScript's dates have it. */
const maxTime = 8.64e15;

/**
 * Reads the text of a choice, as links, boards and storage have it: `15m`, `24h`, `7d`, `yesterday`, `this-month`, or an interval of
 * ISO 8601 such as `2026-12-01T00:00:00Z/2026-12-02T00:00:00Z`.
 *
 * @returns undefined for every other text, for empty intervals and for spans of no or of more than ten years' time
 */
export function parseRange(text: string): RangeChoice | undefined {
  if (isCalendar(text)) return { kind: 'calendar', name: text };
  const [, digits, unit] = /^(\d{1,7})([mhd])$/.exec(text) ?? [];
  if (isUnit(unit)) {
    const count = Number(digits);
    const isSensible = count > 0 && count * spans[unit] <= 3_660 * spans.d;
    return isSensible ? { kind: 'last', count, unit } : undefined;
  }
  const [, first, second] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\/(\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  return fixedRange({ from: Date.parse(first), to: Date.parse(second) });
}

/** The choice of two times. Undefined if there is no time between them. */
export function fixedRange({ from, to }: TimeRange): RangeChoice | undefined {
  const isSpan = from < to && Math.abs(from) <= maxTime && Math.abs(to) <= maxTime;
  return isSpan ? { kind: 'fixed', from: Math.round(from), to: Math.round(to) } : undefined;
}

/** The text of a choice, which `parseRange` reads. */
export function formatRange(choice: RangeChoice): string {
  switch (choice.kind) {
    case 'last':
      return `${choice.count}${choice.unit}`;
    case 'calendar':
      return choice.name;
    case 'fixed':
      return `${new Date(choice.from).toISOString()}/${new Date(choice.to).toISOString()}`;
  }
}

/** The choice in words: `Last 24 hours`, `Yesterday`, `2026-12-01 00:00 – 2026-12-02 00:00`. */
export function rangeTitle(choice: RangeChoice, zone: Zone): string {
  switch (choice.kind) {
    case 'last': {
      const name = spanNames[choice.unit];
      return choice.count === 1 ? `Last ${name}` : `Last ${choice.count} ${name}s`;
    }
    case 'calendar':
      return calendars[choice.name];
    case 'fixed':
      return `${timeText(choice.from, zone, 'minute')} – ${timeText(choice.to, zone, 'minute')}`;
  }
}

/**
 * The times of a choice.
 *
 * @param now in milliseconds since the epoch; spans that aren't over end then
 */
export function rangeAt(choice: RangeChoice, now: number, zone: Zone): TimeRange {
  switch (choice.kind) {
    case 'last':
      return { from: now - choice.count * spans[choice.unit], to: now };
    case 'fixed':
      return { from: choice.from, to: choice.to };
    case 'calendar':
      return calendarAt(choice.name, now, zone);
  }
}

/** The span of the same length that ends where this one begins. */
export function rangeBefore({ from, to }: TimeRange): TimeRange {
  return { from: from - (to - from), to: from };
}

function calendarAt(name: Calendar, now: number, zone: Zone): TimeRange {
  const { year, month, day, weekday } = partsOf(now, zone);
  const midnight = (months: number, date: number) => startOfDay(year, months, date, zone);
  // Weeks begin on Monday (ISO 8601).
  const monday = day - ((weekday + 6) % 7);
  switch (name) {
    case 'today':
      return { from: midnight(month, day), to: now };
    case 'yesterday':
      return { from: midnight(month, day - 1), to: midnight(month, day) };
    case 'this-week':
      return { from: midnight(month, monday), to: now };
    case 'last-week':
      return { from: midnight(month, monday - 7), to: midnight(month, monday) };
    case 'this-month':
      return { from: midnight(month, 1), to: now };
    case 'last-month':
      return { from: midnight(month - 1, 1), to: midnight(month, 1) };
  }
}

function partsOf(time: number, zone: Zone) {
  const date = new Date(time);
  return zone === 'utc'
    ? {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth(),
        day: date.getUTCDate(),
        weekday: date.getUTCDay(),
      }
    : { year: date.getFullYear(), month: date.getMonth(), day: date.getDate(), weekday: date.getDay() };
}

// Days and months beyond their range count on, as the constructors of dates have it.
function startOfDay(year: number, month: number, day: number, zone: Zone): number {
  return zone === 'utc' ? Date.UTC(year, month, day) : new Date(year, month, day).getTime();
}

/** A time in a zone: `2026-12-01 12:30:05`, or without its seconds. */
export function timeText(time: number, zone: Zone, precision: 'minute' | 'second' = 'second'): string {
  if (!(Math.abs(time) <= maxTime)) return '–';
  return inputTime(time, zone)
    .replace('T', ' ')
    .slice(0, precision === 'minute' ? 16 : 19);
}

/** A time as an input of the type `datetime-local` has it, which knows no zones. */
export function inputTime(time: number, zone: Zone): string {
  const minutes = zone === 'utc' ? 0 : new Date(time).getTimezoneOffset();
  return new Date(time - minutes * spans.m).toISOString().slice(0, 19);
}

/** The time of such an input; NaN if it has none. */
export function timeOfInput(text: string, zone: Zone): number {
  return text === '' ? Number.NaN : Date.parse(zone === 'utc' ? `${text}Z` : text);
}

/** The zone in words: `UTC`, or `UTC+02:00` for that of the browser at a time. */
export function zoneText(zone: Zone, time: number): string {
  const minutes = zone === 'utc' ? 0 : -new Date(time).getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

function isCalendar(text: string): text is Calendar {
  return Object.hasOwn(calendars, text);
}

function isUnit(text: string | undefined): text is SpanUnit {
  return text !== undefined && Object.hasOwn(spans, text);
}
