import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { inRange, inRangeOr } from '../../macros/time.ts';
import { type FunctionEntries, guarded, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import {
  civilDifference,
  extract,
  instantDifference,
  intervalOf,
  isClockPart,
  lastDay,
  partMicros,
  roughLength,
  truncate,
} from './date-parts.ts';
import { civilIn, instantIn } from './zone.ts';

const part = (call: FunctionCall, index: number) => call.constantText(index, 'date part');

/** A civil time converted to the call's type. */
const asType = (sql: string, call: FunctionCall) =>
  call.type.kind === 'DATE' ? `CAST(${sql} AS DATE)` : sql;

/** A DATE or TIME as DuckDB's TIMESTAMP, which other types are already. */
function asCivil(sql: string, kind: string): string {
  if (kind === 'DATE') return `CAST(${sql} AS TIMESTAMP)`;
  return kind === 'TIME' ? `(DATE '1970-01-01' + ${sql})` : sql;
}

/** The start of a part. The first weeks of the year 1 begin before it. */
function startOf(civil: string, unit: string, call: FunctionCall): string {
  const start = truncate(civil, unit);
  if (!/WEEK|ISO/.test(unit)) return start;
  return inRange.call([asCivil(start, call.type.kind)], call.safe);
}

/** Parts shorter than a day are truncated in the instant, which keeps the two hours of a clock set back apart. */
function truncateInstant(call: FunctionCall): string {
  const [t, unit, zone] = [call.sql(0), part(call, 1), call.optional(2)];
  const civil = civilIn(t, zone, call.safe);
  if (civil === t) return startOf(t, unit, call);
  // On the last day, a zone's clock may show the year 10000, for which there is no ISO week.
  const shown = unit === 'ISOYEAR' ? inRange.call([civil], call.safe) : civil;
  const start = isClockPart(unit)
    ? `(${t} - (${civil} - ${truncate(civil, unit)}))`
    : instantIn(truncate(shown, unit), zone, call.safe);
  return inRange.call([start], call.safe);
}

/** DuckDB's range is 290,000 years in both directions, so adding up to this number of microseconds can't fail. */
const harmlessShift = 10n ** 18n;

/** Stands for every time that is out of range. */
const farAway = "TIMESTAMP '20000-01-01 00:00:00'";

const shifted = (sign: '+' | '-') =>
  guarded((call) => {
    const [time, count, unit] = [call.arg(0), call.arg(1), part(call, 2)];
    const kind = time.type.kind;
    const moved = asCivil(`${time.sql} ${sign} ${intervalOf(count.sql, unit)}`, kind);
    const limit = harmlessShift / roughLength(1n, unit);
    const known = count.constant?.value;
    const isNear = typeof known === 'bigint' && known <= limit && known >= -limit;
    const value = isNear
      ? moved
      : `CASE WHEN ${count.sql} BETWEEN -${limit} AND ${limit} THEN ${moved}
          WHEN ${count.sql} IS NOT NULL AND ${time.sql} IS NOT NULL THEN ${farAway} END`;
    return asType(inRangeOr.call([value, overflow(call, sign, unit)], call.safe), call);
  });

/** The error message in BigQuery's words. Days of an instant are reported as hours. */
function overflow(call: FunctionCall, sign: '+' | '-', unit: string): string {
  const { sql, type } = call.arg(0);
  const count = `CAST(${call.sql(1)} AS HUGEINT)`;
  const isHours = type.kind === 'TIMESTAMP' && unit === 'DAY';
  const amount = `${sign === '-' ? '-' : ''}${isHours ? `${count} * 24` : count}`;
  const zone = type.kind === 'TIMESTAMP' ? " || '+00'" : '';
  return `'Adding ' || (${amount}) || ' ${isHours ? 'HOUR' : unit} to ${type.kind.toLowerCase()} ' || ${sql}${zone} || ' causes overflow'`;
}

/** Times of day wrap around at midnight. */
const shiftedTime = (sign: '+' | '-') =>
  total((call) => {
    const micros = partMicros(part(call, 2));
    const ofDay = `epoch_us(${asCivil(call.sql(0), 'TIME')})`;
    const step = `(CAST(${call.sql(1)} AS HUGEINT) * ${micros}) % 86400000000`;
    const moved = `CAST((${ofDay} ${sign} ${step} + 86400000000) % 86400000000 AS BIGINT)`;
    return `CAST(make_timestamp(${moved}) AS TIME)`;
  });

function extracted(call: FunctionCall, unit: string, zone: number): string {
  const { sql, type } = call.arg(0);
  const where = call.optional(zone);
  const civil = civilIn(
    type.kind === 'TIME' && unit === 'TIME' ? asCivil(sql, 'TIME') : sql,
    where,
    call.safe,
  );
  const isDay = civil !== sql && (unit === 'DATE' || unit === 'DATETIME');
  return extract(isDay ? inRange.call([civil], call.safe) : civil, unit);
}

/** The analyzer doesn't compare the part with a text that is taken for a DATE or TIME. */
function requirePart(unit: string, kind: string): void {
  const isOwn = kind === 'DATE' ? !isClockPart(unit) : kind !== 'TIME' || isClockPart(unit);
  if (!isOwn) throw unsupported(`the part ${unit} of a ${kind}`);
}

/** The types decide, not the name: whole parts between instants, boundaries of parts between other times. */
const difference = total((call) => {
  const unit = part(call, 2);
  const [later, earlier] = [call.arg(0), call.arg(1)];
  const { kind } = later.type;
  if (kind === 'TIMESTAMP') return instantDifference(later.sql, earlier.sql, unit);
  requirePart(unit, kind);
  const civil = (sql: string) => (kind === 'TIME' ? asCivil(sql, 'TIME') : sql);
  return civilDifference(civil(later.sql), civil(earlier.sql), unit);
});

/** The start of a part of a DATE, or of another time if the name is that of its function. */
const truncatedDate = guarded((call) => {
  requirePart(part(call, 1), call.arg(0).type.kind);
  return asType(startOf(call.sql(0), part(call, 1), call), call);
});

export const dateArithmetic: FunctionEntries = {
  timestamp_trunc: guarded(truncateInstant),
  datetime_trunc: guarded((call) => startOf(call.sql(0), part(call, 1), call)),
  date_trunc: truncatedDate,
  time_trunc: total((call) => `CAST(${truncate(asCivil(call.sql(0), 'TIME'), part(call, 1))} AS TIME)`),
  timestamp_add: shifted('+'),
  timestamp_sub: shifted('-'),
  datetime_add: shifted('+'),
  datetime_sub: shifted('-'),
  date_add: shifted('+'),
  date_sub: shifted('-'),
  time_add: shiftedTime('+'),
  time_sub: shiftedTime('-'),
  timestamp_diff: difference,
  datetime_diff: difference,
  date_diff: difference,
  time_diff: difference,
  $extract: guarded((call) => extracted(call, part(call, 1), 2)),
  $extract_date: guarded((call) => extracted(call, 'DATE', 1)),
  $extract_time: guarded((call) => extracted(call, 'TIME', 1)),
  $extract_datetime: guarded((call) => extracted(call, 'DATETIME', 1)),
  last_day: guarded((call) => {
    const unit = call.optional(1) === undefined ? 'MONTH' : part(call, 1);
    if (unit === 'MONTH') return `last_day(${call.sql(0)})`;
    if (isClockPart(unit) || unit === 'DAY') throw unsupported(`${unit} in LAST_DAY`);
    return `CAST(${inRange.call([asCivil(lastDay(call.sql(0), unit), 'DATE')], call.safe)} AS DATE)`;
  }),
};
