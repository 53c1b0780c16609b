import { Macro, type Mode } from './macro.ts';

/** A TIMESTAMP or DATETIME within the years 1 to 9999. */
export const inRange = new Macro(
  'in_range',
  ['t'],
  (mode) => `CASE WHEN t < TIMESTAMP '0001-01-01 00:00:00' OR t > TIMESTAMP '9999-12-31 23:59:59.999999'
    THEN ${mode.raise("'A timestamp, datetime or date is out of range'", 'TIMESTAMP')} ELSE t END`,
);

/** The offset of a zone written as `+5`, `-08:00` or `+0530`; NULL for a zone with a name. */
const zoneOffset = new Macro(
  'zone_offset',
  ['zone'],
  () => `CASE WHEN regexp_matches(zone, '^[+-]\\d{1,2}(:?\\d{2})?$') THEN
    to_minutes(CASE WHEN starts_with(zone, '-') THEN -1 ELSE 1 END
      * (CAST(regexp_extract(zone, '^[+-](\\d{1,2})', 1) AS BIGINT) * 60
        + coalesce(TRY_CAST(regexp_extract(zone, '^[+-]\\d{1,2}:?(\\d{2})$', 1) AS BIGINT), 0))) END`,
);

/** The civil time of an instant in a zone that has a name. */
export const civilTimeInNamed = new Macro(
  'civil_time_in_named',
  ['t', 'zone'],
  () => "timezone(zone, timezone('UTC', t))",
);

/** The civil time of an instant in any zone. */
export const civilTime = new Macro(
  'civil_time',
  ['t', 'zone'],
  () => `CASE WHEN starts_with(zone, '+') OR starts_with(zone, '-') THEN t + ${zoneOffset.call(['zone'])}
    ELSE ${civilTimeInNamed.call(['t', 'zone'])} END`,
);

/**
 * The instant of a civil time in a zone that has a name. Where clocks were set back, a civil time happens
 * twice: BigQuery takes the first, ICU the second. The first is what the offset of the day before makes of it.
 */
export const instantInNamed = new Macro('instant_in_named', ['civil', 'zone'], () => {
  const later = 'timezone(zone, civil)';
  const dayBefore = `${later} - INTERVAL 24 HOUR`;
  const offset = `(timezone(zone, ${dayBefore}) - timezone('UTC', ${dayBefore}))`;
  return `CASE WHEN timezone(zone, timezone('UTC', civil - ${offset})) = civil THEN civil - ${offset}
    ELSE timezone('UTC', ${later}) END`;
});

/** The instant of a civil time in any zone. */
export const instant = new Macro(
  'instant',
  ['civil', 'zone'],
  () => `CASE WHEN starts_with(zone, '+') OR starts_with(zone, '-') THEN civil - ${zoneOffset.call(['zone'])}
    ELSE ${instantInNamed.call(['civil', 'zone'])} END`,
);

const offsetMinutes = new Macro(
  'offset_minutes',
  ['t', 'zone'],
  () => `date_diff('minute', t, ${civilTime.call(['t', 'zone'])})`,
);

/** `+05:30`, with `separator` for the colon. */
export const offsetText = new Macro('offset_text', ['t', 'zone', 'separator'], () => {
  const minutes = offsetMinutes.call(['t', 'zone']);
  return `CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END || lpad(CAST(abs(${minutes}) // 60 AS VARCHAR), 2, '0')
      || separator || lpad(CAST(abs(${minutes}) % 60 AS VARCHAR), 2, '0')`;
});

/** `UTC`, `UTC-8`, `UTC+0530`. */
export const zoneText = new Macro('zone_text', ['t', 'zone'], () => {
  const minutes = offsetMinutes.call(['t', 'zone']);
  return `CASE WHEN ${minutes} = 0 THEN 'UTC'
    WHEN ${minutes} % 60 = 0 THEN 'UTC' || printf('%+d', ${minutes} // 60)
    ELSE 'UTC' || ${offsetText.call(['t', 'zone', "''"])} END`;
});

/** The text of a civil time, with three or six digits of a fraction where there is one. */
export const civilText = new Macro(
  'civil_text',
  ['t', 'suffix'],
  () => `strftime(t, '%Y-%m-%d %H:%M:%S') || CASE WHEN epoch_us(t) % 1000000 = 0 THEN ''
    WHEN epoch_us(t) % 1000 = 0 THEN '.' || strftime(t, '%g') ELSE '.' || strftime(t, '%f') END || suffix`,
);

/** The text of an instant in a zone, with the zone's offset: hours, and minutes where there are any. */
export const instantText = new Macro('instant_text', ['t', 'zone'], () =>
  civilText.call([
    civilTime.call(['t', 'zone']),
    `regexp_replace(${offsetText.call(['t', 'zone', "':'"])}, ':00$', '')`,
  ]),
);

/** The text of a time of day. */
export const clockText = new Macro(
  'clock_text',
  ['t'],
  () => `substr(${civilText.call(["(DATE '1970-01-01' + t)", "''"])}, 12)`,
);

/** Seconds with as many digits of the fraction as it has. */
export const secondsText = new Macro(
  'seconds_text',
  ['t'],
  () =>
    `strftime(t, '%S') || CASE WHEN epoch_us(t) % 1000000 = 0 THEN '' ELSE rtrim(strftime(t, '.%f'), '0') END`,
);

const day = '\\d{4}-\\d{1,2}-\\d{1,2}';
/** DuckDB takes 24 o'clock for the next midnight; it is no time of day. */
const hour = '(?:[01]?\\d|2[0-3])';
const clock = `${hour}:\\d{1,2}:\\d{1,2}(?:\\.\\d{0,6})?`;
const civilPattern = `${day}(?:[ Tt]${clock})?`;
const offsetPattern = '[+-]\\d{1,2}(?::?\\d{2})?';
const namePattern = '[A-Za-z_]+(?:/[A-Za-z_+\\-0-9]+)*';

/** The civil time at the start of the text, which is known to be there. */
const civil = (mode: Mode) => mode.cast(`upper(regexp_extract(s, '^${civilPattern}'))`, 'TIMESTAMP');

/** NULL where the text names no zone, for the branch may be evaluated beforehand, and a wrong name is an error. */
const zoneInText = `nullif(regexp_extract(s, '^${civilPattern} (${namePattern})$', 1), '')`;

/**
 * The instant that a text names; where it names no zone, `unzoned` says which instant that is. A lambda has
 * the range checked once for all branches: macros repeat their arguments.
 */
const textToInstant = (
  mode: Mode,
  unzoned: string,
) => `list_extract(list_transform([CASE WHEN s IS NULL THEN NULL
    WHEN regexp_matches(s, '^${civilPattern}$') THEN ${unzoned}
    WHEN regexp_matches(s, '^${civilPattern} ?[Zz]$') THEN ${civil(mode)}
    WHEN regexp_matches(s, '^${civilPattern} ?${offsetPattern}$')
      THEN ${civil(mode)} - ${zoneOffset.call([`regexp_extract(s, '${offsetPattern}$')`])}
    WHEN regexp_matches(s, '^${civilPattern} ${namePattern}$')
      THEN ${instantInNamed.call([civil(mode), zoneInText])}
    ELSE ${mode.raise("'Invalid timestamp: ''' || s || ''''", 'TIMESTAMP')} END],
    lambda instant: ${mode.call(inRange, 'instant')}), 1)`;

/** The instant that a text names, in UTC when it doesn't say where. */
export const stringToTimestamp = new Macro('string_to_timestamp', ['s'], (mode) =>
  textToInstant(mode, civil(mode)),
);

/** The instant that a text names, in `zone` when it doesn't say where. */
export const stringToTimestampIn = new Macro('string_to_timestamp_in', ['s', 'zone'], (mode) =>
  textToInstant(mode, instant.call([civil(mode), 'zone'])),
);

export const stringToDatetime = new Macro(
  'string_to_datetime',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL WHEN regexp_matches(s, '^${civilPattern}$')
    THEN ${mode.call(inRange, mode.cast('upper(s)', 'TIMESTAMP'))}
    ELSE ${mode.raise("'Invalid datetime string \"' || s || '\"'", 'TIMESTAMP')} END`,
);

export const stringToDate = new Macro(
  'string_to_date',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL WHEN regexp_matches(s, '^${day}$')
    THEN CAST(${mode.call(inRange, mode.cast('upper(s)', 'TIMESTAMP'))} AS DATE)
    ELSE ${mode.raise("'Invalid date: ''' || s || ''''", 'DATE')} END`,
);

export const stringToTime = new Macro(
  'string_to_time',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL WHEN regexp_matches(s, '^${clock}$')
    THEN ${mode.cast('upper(s)', 'TIME')} ELSE ${mode.raise("'Invalid time string \"' || s || '\"'", 'TIME')} END`,
);

export const timeMacros = [
  inRange,
  zoneOffset,
  civilTimeInNamed,
  civilTime,
  instantInNamed,
  instant,
  offsetMinutes,
  offsetText,
  zoneText,
  civilText,
  instantText,
  clockText,
  secondsText,
  stringToTimestamp,
  stringToTimestampIn,
  stringToDatetime,
  stringToDate,
  stringToTime,
];
