import { Macro } from './macro.ts';

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

const zoneName = new Macro(
  'zone_name',
  ['zone'],
  () => `CASE WHEN ${zoneOffset.call(['zone'])} IS NULL THEN zone ELSE 'UTC' END`,
);

/** The civil time of an instant in a zone. */
export const civilTime = new Macro(
  'civil_time',
  ['t', 'zone'],
  () =>
    `coalesce(t + ${zoneOffset.call(['zone'])}, timezone(${zoneName.call(['zone'])}, timezone('UTC', t)))`,
);

const latestInstant = new Macro(
  'latest_instant',
  ['civil', 'zone'],
  () => `timezone('UTC', timezone(${zoneName.call(['zone'])}, civil))`,
);

/**
 * The instant of a civil time in a zone. Where clocks were set back, a civil time happens twice: BigQuery
 * takes the first, ICU the second.
 */
export const instant = new Macro(
  'instant',
  ['civil', 'zone'],
  () => `CASE WHEN ${zoneOffset.call(['zone'])} IS NOT NULL THEN civil - ${zoneOffset.call(['zone'])}
    WHEN ${civilTime.call([`${latestInstant.call(['civil', 'zone'])} - INTERVAL 1 HOUR`, 'zone'])} = civil
      THEN ${latestInstant.call(['civil', 'zone'])} - INTERVAL 1 HOUR
    ELSE ${latestInstant.call(['civil', 'zone'])} END`,
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

/** `UTC`, `UTC-8`, `UTC+5:30`. */
export const zoneText = new Macro('zone_text', ['t', 'zone'], () => {
  const minutes = offsetMinutes.call(['t', 'zone']);
  return `CASE WHEN ${minutes} = 0 THEN 'UTC' ELSE 'UTC' || CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END
    || CAST(abs(${minutes}) // 60 AS VARCHAR)
    || CASE WHEN abs(${minutes}) % 60 = 0 THEN '' ELSE ':' || lpad(CAST(abs(${minutes}) % 60 AS VARCHAR), 2, '0') END END`;
});

/** The text of a civil time, with three or six digits of a fraction where there is one. */
export const civilText = new Macro(
  'civil_text',
  ['t', 'suffix'],
  () => `strftime(t, '%Y-%m-%d %H:%M:%S') || CASE WHEN epoch_us(t) % 1000000 = 0 THEN ''
    WHEN epoch_us(t) % 1000 = 0 THEN '.' || strftime(t, '%g') ELSE '.' || strftime(t, '%f') END || suffix`,
);

/** The text of an instant in a zone, with the zone's offset: hours, and minutes where there are any. */
export const instantText = new Macro('instant_text', ['t', 'zone'], () => {
  const offset = offsetText.call(['t', 'zone', "':'"]);
  return civilText.call([
    civilTime.call(['t', 'zone']),
    `CASE WHEN ends_with(${offset}, ':00') THEN left(${offset}, 3) ELSE ${offset} END`,
  ]);
});

/** Seconds with as many digits of the fraction as it has. */
export const secondsText = new Macro(
  'seconds_text',
  ['t'],
  () =>
    `strftime(t, '%S') || CASE WHEN epoch_us(t) % 1000000 = 0 THEN '' ELSE rtrim(strftime(t, '.%f'), '0') END`,
);

const day = '\\d{4}-\\d{1,2}-\\d{1,2}';
const clock = '\\d{1,2}:\\d{1,2}:\\d{1,2}(?:\\.\\d{0,6})?';
const civilPattern = `${day}(?:[ Tt]${clock})?`;
const zonePattern = '(?: ?([Zz]|[+-]\\d{1,2}(?::?\\d{2})?)| ([A-Za-z_]+(?:/[A-Za-z_+\\-0-9]+)*))?';
const timestampPattern = `'^(${civilPattern})${zonePattern}$'`;

const civilOf = (text: string) => `upper(regexp_extract(${text}, '^(${civilPattern})', 1))`;

const zoneOfText = new Macro(
  'zone_of_text',
  ['s', 'default_zone'],
  () => `CASE WHEN regexp_extract(s, ${timestampPattern}, 2) IN ('Z', 'z') THEN '+00'
    ELSE coalesce(nullif(regexp_extract(s, ${timestampPattern}, 2), ''), nullif(regexp_extract(s, ${timestampPattern}, 3), ''), default_zone) END`,
);

/** The instant that a text names, in `default_zone` when it doesn't say which. */
export const stringToTimestamp = new Macro(
  'string_to_timestamp',
  ['s', 'default_zone'],
  (mode) => `CASE WHEN s IS NULL THEN NULL WHEN regexp_matches(s, ${timestampPattern})
    THEN ${mode.call(inRange, instant.call([mode.cast(civilOf('s'), 'TIMESTAMP'), zoneOfText.call(['s', 'default_zone'])]))}
    ELSE ${mode.raise("'Invalid timestamp: ''' || s || ''''", 'TIMESTAMP')} END`,
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
  zoneName,
  civilTime,
  latestInstant,
  instant,
  offsetMinutes,
  offsetText,
  zoneText,
  civilText,
  instantText,
  secondsText,
  zoneOfText,
  stringToTimestamp,
  stringToDatetime,
  stringToDate,
  stringToTime,
];
