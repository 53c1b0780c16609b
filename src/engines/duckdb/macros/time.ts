import {
  dateOfText,
  datetimeOfText,
  timeOfText,
  timestampOfText,
  timestampOfTextIn,
} from '../udf/time/time-functions.ts';
import { Macro, type Mode } from './macro.ts';

/** A TIMESTAMP or DATETIME within the years 1 to 9999. */
export const inRange = new Macro(
  'in_range',
  ['t'],
  (mode) => `CASE WHEN t < TIMESTAMP '0001-01-01 00:00:00' OR t > TIMESTAMP '9999-12-31 23:59:59.999999'
    THEN ${mode.raise("'A timestamp, datetime or date is out of range'", 'TIMESTAMP')} ELSE t END`,
);

/** The same, with its own error message. */
export const inRangeOr = new Macro(
  'in_range_or',
  ['t', 'message'],
  (mode) => `CASE WHEN t < TIMESTAMP '0001-01-01 00:00:00' OR t > TIMESTAMP '9999-12-31 23:59:59.999999'
    THEN ${mode.raise('message', 'TIMESTAMP')} ELSE t END`,
);

/** The civil time of an instant in a named zone. */
export const civilTimeInNamed = new Macro(
  'civil_time_in_named',
  ['t', 'zone'],
  () => "timezone(zone, timezone('UTC', t))",
);

/**
 * The instant of a civil time in a named zone. A civil time occurs twice when clocks are set back: BigQuery chooses the
 * first, ICU the second. The first results from the offset of the day before.
 */
export const instantInNamed = new Macro('instant_in_named', ['civil', 'zone'], () => {
  const later = 'timezone(zone, civil)';
  const dayBefore = `${later} - INTERVAL 24 HOUR`;
  const offset = `(timezone(zone, ${dayBefore}) - timezone('UTC', ${dayBefore}))`;
  return `CASE WHEN timezone(zone, timezone('UTC', civil - ${offset})) = civil THEN civil - ${offset}
    ELSE timezone('UTC', ${later}) END`;
});

/** The text of a civil time, with a fraction of three or six digits if there is one. */
export const civilText = new Macro(
  'civil_text',
  ['t', 'suffix'],
  () => `strftime(t, '%Y-%m-%d %H:%M:%S') || CASE WHEN epoch_us(t) % 1000000 = 0 THEN ''
    WHEN epoch_us(t) % 1000 = 0 THEN '.' || strftime(t, '%g') ELSE '.' || strftime(t, '%f') END || suffix`,
);

/**
 * The whole minutes by which a civil time is ahead of its instant. The additional seconds of local mean times are never
 * written.
 */
const minutesAhead = '((epoch_us(civil) - epoch_us(t)) // 60000000)';

/** The civil time that matches {@link offsetText}, which has no seconds. */
export const civilToMinute = new Macro(
  'civil_to_minute',
  ['t', 'civil'],
  () => `(t + to_minutes(${minutesAhead}))`,
);

/** ` ` or `+05:30`, with minutes if there are any: the offset of the civil time from the instant. */
export const offsetText = new Macro('offset_text', ['t', 'civil'], () => {
  const minutes = minutesAhead;
  return `CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END || lpad(CAST(abs(${minutes}) // 60 AS VARCHAR), 2, '0')
      || CASE WHEN ${minutes} % 60 = 0 THEN '' ELSE ':' || lpad(CAST(abs(${minutes}) % 60 AS VARCHAR), 2, '0') END`;
});

/** The text of a time of day. */
export const clockText = new Macro(
  'clock_text',
  ['t'],
  () => `substr(${civilText.call(["(DATE '1970-01-01' + t)", "''"])}, 12)`,
);

/**
 * The usual texts of dates and times, which DuckDB parses like GoogleSQL: every number with all its digits, years 1000
 * to 2999, no leap second.
 */
const usualDate = '[12]\\d{3}-\\d\\d-\\d\\d';
const usualClock = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?';
/** DuckDB ignores further digits. */
const usualOffset = '(?:Z|[+]00:00)?';

/**
 * Uses DuckDB for usual texts. A text that doesn't even begin like one is invalid, and `exact`, which supports every
 * form, parses the rest.
 */
const read = (
  mode: Mode,
  { usual, start, type, exact, message }: Record<'usual' | 'start' | 'type' | 'exact' | 'message', string>,
) => `coalesce(CASE WHEN regexp_matches(s, '^${usual}$') THEN TRY_CAST(s AS ${type}) END,
    CASE WHEN regexp_matches(s, '^${start}') THEN ${exact} WHEN s IS NOT NULL THEN ${mode.raise(message, type)} END)`;

const dateStart = '\\d{4}-\\d';

/** The instant that a text represents, in UTC unless it contains a zone. */
export const stringToTimestamp = new Macro('string_to_timestamp', ['s'], (mode) =>
  read(mode, {
    usual: `${usualDate}(?:[ T]${usualClock}${usualOffset})?`,
    start: dateStart,
    type: 'TIMESTAMP',
    exact: `make_timestamp(${mode.call(timestampOfText, 's')})`,
    message: "'Invalid timestamp: ''' || s || ''''",
  }),
);

/** The instant of a text without a zone, in the given zone. */
export const stringToTimestampIn = new Macro(
  'string_to_timestamp_in',
  ['s', 'zone'],
  (mode) => `make_timestamp(${mode.call(timestampOfTextIn, 's', 'zone')})`,
);

export const stringToDatetime = new Macro('string_to_datetime', ['s'], (mode) =>
  read(mode, {
    usual: `${usualDate}(?:[ T]${usualClock})?`,
    start: dateStart,
    type: 'TIMESTAMP',
    exact: `make_timestamp(${mode.call(datetimeOfText, 's')})`,
    message: "'Invalid datetime string \"' || s || '\"'",
  }),
);

export const stringToDate = new Macro('string_to_date', ['s'], (mode) =>
  read(mode, {
    usual: usualDate,
    start: dateStart,
    type: 'DATE',
    exact: `CAST(make_timestamp(${mode.call(dateOfText, 's')}) AS DATE)`,
    message: "'Invalid date: ''' || s || ''''",
  }),
);

export const stringToTime = new Macro('string_to_time', ['s'], (mode) =>
  read(mode, {
    usual: usualClock,
    start: '\\d{1,2}:',
    type: 'TIME',
    exact: `CAST(make_timestamp(${mode.call(timeOfText, 's')}) AS TIME)`,
    message: "'Invalid time string \"' || s || '\"'",
  }),
);

/** Seconds, milliseconds or microseconds since 1970 as an instant. */
export const timestampOf = new Macro(
  'timestamp_of',
  ['n', 'factor'],
  (
    mode,
  ) => `CASE WHEN n BETWEEN -62135596800000000 // factor AND 253402300799999999 // factor THEN make_timestamp(n * factor)
    ELSE ${mode.raise("'Input value ' || n || ' cannot be converted into a TIMESTAMP, because it would be out of the allowed range between -62135596800000000 to 253402300799999999 (microseconds)'", 'TIMESTAMP')} END`,
);

/** A date from numbers. */
export const dateOfParts = new Macro('date_of_parts', ['y', 'm', 'd'], (mode) => {
  const isDay =
    'y BETWEEN 1 AND 9999 AND m BETWEEN 1 AND 12 AND d BETWEEN 1 AND 31 AND d <= day(last_day(make_date(y, m, 1)))';
  return `CASE WHEN y IS NULL OR m IS NULL OR d IS NULL THEN NULL WHEN ${isDay} THEN make_date(y, m, d)
    ELSE ${mode.raise(`'Input calculates to invalid date: ' || printf('%04d-%02d-%02d', y, m, d)`, 'DATE')} END`;
});

/** A time of day from numbers. The second 60 is the first one of the next minute. */
export const timeOfParts = new Macro(
  'time_of_parts',
  ['h', 'm', 's'],
  (mode) => `CASE WHEN h IS NULL OR m IS NULL OR s IS NULL THEN NULL
    WHEN h BETWEEN 0 AND 23 AND m BETWEEN 0 AND 59 AND s BETWEEN 0 AND 60
    THEN CAST(make_timestamp((((h * 60 + m) * 60 + s) * 1000000)) AS TIME)
    ELSE ${mode.raise(`'Input calculates to invalid time: ' || printf('%02d:%02d:%02d', h, m, s)`, 'TIME')} END`,
);

/** A date and time from numbers. */
export const datetimeOfParts = new Macro('datetime_of_parts', ['y', 'mo', 'd', 'h', 'm', 's'], (mode) => {
  const isDay =
    'y BETWEEN 1 AND 9999 AND mo BETWEEN 1 AND 12 AND d BETWEEN 1 AND 31 AND d <= day(last_day(make_date(y, mo, 1)))';
  const isTime = 'h BETWEEN 0 AND 23 AND m BETWEEN 0 AND 59 AND s BETWEEN 0 AND 60';
  const whole = 'CAST(make_date(y, mo, d) AS TIMESTAMP) + to_microseconds(((h * 60 + m) * 60 + s) * 1000000)';
  const message = `'Input calculates to invalid datetime: ' || printf('%04d-%02d-%02d %02d:%02d:%02d', y, mo, d, h, m, s)`;
  return `CASE WHEN y IS NULL OR mo IS NULL OR d IS NULL OR h IS NULL OR m IS NULL OR s IS NULL THEN NULL
    WHEN ${isDay} AND ${isTime} THEN ${mode.call(inRangeOr, whole, message)} ELSE ${mode.raise(message, 'TIMESTAMP')} END`;
});

export const timeMacros = [
  timestampOf,
  dateOfParts,
  timeOfParts,

  inRange,
  inRangeOr,
  datetimeOfParts,
  civilTimeInNamed,
  instantInNamed,
  civilToMinute,
  offsetText,
  civilText,
  clockText,
  stringToTimestamp,
  stringToTimestampIn,
  stringToDatetime,
  stringToDate,
  stringToTime,
];
