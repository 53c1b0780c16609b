import { constantExpression } from '../emit/expression.ts';
import { strictConversions } from '../functions-in-js/json/convert-functions.ts';
import { floorDivide } from '../macros/numbers.ts';
import { civilText, clockText, inRange, stringToDate, stringToDatetime } from '../macros/time.ts';
import {
  civilDifference,
  extract,
  instantDifference,
  intervalOf,
  isClockPart,
  roughLength,
  truncate,
} from './date-parts.ts';
import { type FunctionEntries, failing, guarded, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';
import { civilIn, instantIn, instantOfText, instantTextIn } from './zone.ts';

const timestampType = { kind: 'TIMESTAMP' } as const;

const now = (call: FunctionCall) => constantExpression(timestampType, call.now);
const part = (call: FunctionCall, index: number) => call.constantText(index, 'date part');

const asType = (sql: string, call: FunctionCall) =>
  call.type.kind === 'DATE' ? `CAST(${sql} AS DATE)` : sql;

/** The start of a part; the first weeks of the year 1 begin before it. */
function startOf(civil: string, unit: string, call: FunctionCall): string {
  const start = truncate(civil, unit);
  if (!/WEEK|ISO/.test(unit)) return start;
  return inRange.call([call.type.kind === 'DATE' ? `CAST(${start} AS TIMESTAMP)` : start], call.safe);
}

/** Below a day a zone's clock is cut at the instant, so that the two hours of a clock set back stay apart. */
function truncateInstant(call: FunctionCall): string {
  const [t, unit, zone] = [call.sql(0), part(call, 1), call.optional(2)];
  const civil = civilIn(t, zone);
  if (civil === t) return startOf(t, unit, call);
  return isClockPart(unit)
    ? `(${t} - (${civil} - ${truncate(civil, unit)}))`
    : instantIn(truncate(civil, unit), zone);
}

/** DuckDB counts to the year 290,000 either way, so so many microseconds can't make it fail. */
const harmlessShift = 10n ** 18n;

const shifted = (sign: '+' | '-') =>
  guarded((call) => {
    const unit = part(call, 2);
    const { constant: count } = call.arg(1);
    const known = typeof count === 'bigint' ? roughLength(count, unit) : undefined;
    if (call.safe && (known === undefined || known >= harmlessShift))
      throw call.refusal('the prefix SAFE. with this interval');
    const moved = `${call.sql(0)} ${sign} ${intervalOf(call.sql(1), unit)}`;
    const value = call.arg(0).type.kind === 'DATE' ? `CAST(${moved} AS TIMESTAMP)` : moved;
    return asType(inRange.call([value], call.safe), call);
  });

function extracted(call: FunctionCall, unit: string, zone: number): string {
  return extract(civilIn(call.sql(0), call.optional(zone)), unit);
}

function toTimestamp(call: FunctionCall): string {
  const [value, zone] = [call.arg(0), call.optional(1)];
  switch (value.type.kind) {
    case 'STRING':
      return instantOfText(value, zone, call.safe);
    case 'TIMESTAMP':
      return value.sql;
    default:
      return instantIn(`CAST(${value.sql} AS TIMESTAMP)`, zone);
  }
}

function toDatetime(call: FunctionCall): string {
  if (call.count >= 6) {
    const fields = call.all().map(({ sql }) => sql);
    return inRange.call([`make_timestamp(${fields.join(', ')})`]);
  }
  const [value, second] = [call.arg(0), call.optional(1)];
  switch (value.type.kind) {
    case 'TIMESTAMP':
      return civilIn(value.sql, second);
    case 'STRING':
      return stringToDatetime.call([value.sql], call.safe);
    case 'DATETIME':
      return value.sql;
    default:
      return second === undefined ? `CAST(${value.sql} AS TIMESTAMP)` : `(${value.sql} + ${second.sql})`;
  }
}

function toDate(call: FunctionCall): string {
  if (call.count === 3) {
    return `CAST(${inRange.call([`make_timestamp(${call.sql(0)}, ${call.sql(1)}, ${call.sql(2)}, 0, 0, 0)`])} AS DATE)`;
  }
  const value = call.arg(0);
  if (value.type.kind === 'STRING') return stringToDate.call([value.sql], call.safe);
  return `CAST(${civilIn(value.sql, call.optional(1))} AS DATE)`;
}

function toTime(call: FunctionCall): string {
  if (call.count === 3) return `make_time(${call.sql(0)}, ${call.sql(1)}, ${call.sql(2)})`;
  return `CAST(${civilIn(call.sql(0), call.optional(1))} AS TIME)`;
}

function toText(call: FunctionCall): string {
  const value = call.arg(0);
  switch (value.type.kind) {
    case 'TIMESTAMP':
      return instantTextIn(value.sql, call.optional(1), call.safe);
    case 'DATETIME':
      return civilText.call([value.sql, "''"]);
    case 'DATE':
      return `CAST(${value.sql} AS VARCHAR)`;
    case 'TIME':
      return clockText.call([value.sql]);
    case 'JSON':
      return strictConversions.STRING.call([value.sql], call.safe);
    default:
      throw call.refusal(value.type.kind);
  }
}

const fromEpoch = (factor: string) =>
  failing((call) => inRange.call([`make_timestamp(${call.sql(0)}${factor})`]));

const toEpoch = (divisor: string) => total((call) => floorDivide.call([`epoch_us(${call.sql(0)})`, divisor]));

/** Constructors from numbers raise DuckDB's own errors, which have no form that gives NULL. */
const constructed = (emit: (call: FunctionCall) => string) =>
  guarded((call) => {
    if (call.safe && call.count >= 3) throw call.refusal('the SAFE prefix');
    return emit(call);
  });

export const dateFunctions: FunctionEntries = {
  current_timestamp: total(now),
  current_datetime: total((call) => civilIn(now(call).sql, call.optional(0))),
  current_date: total((call) => `CAST(${civilIn(now(call).sql, call.optional(0))} AS DATE)`),
  current_time: total((call) => `CAST(${civilIn(now(call).sql, call.optional(0))} AS TIME)`),
  timestamp_trunc: guarded(truncateInstant),
  datetime_trunc: guarded((call) => startOf(call.sql(0), part(call, 1), call)),
  date_trunc: guarded((call) => asType(startOf(call.sql(0), part(call, 1), call), call)),
  timestamp_add: shifted('+'),
  timestamp_sub: shifted('-'),
  datetime_add: shifted('+'),
  datetime_sub: shifted('-'),
  date_add: shifted('+'),
  date_sub: shifted('-'),
  timestamp_diff: total((call) => instantDifference(call.sql(0), call.sql(1), part(call, 2))),
  datetime_diff: total((call) => civilDifference(call.sql(0), call.sql(1), part(call, 2))),
  date_diff: total((call) => civilDifference(call.sql(0), call.sql(1), part(call, 2))),
  $interval: failing((call) => intervalOf(call.sql(0), part(call, 1))),
  $extract: total((call) => extracted(call, part(call, 1), 2)),
  $extract_date: total((call) => extracted(call, 'DATE', 1)),
  $extract_time: total((call) => extracted(call, 'TIME', 1)),
  $extract_datetime: total((call) => extracted(call, 'DATETIME', 1)),
  timestamp: guarded(toTimestamp),
  datetime: constructed(toDatetime),
  date: constructed(toDate),
  time: constructed(toTime),
  string: guarded(toText),
  timestamp_seconds: fromEpoch(' * 1000000'),
  timestamp_millis: fromEpoch(' * 1000'),
  timestamp_micros: fromEpoch(''),
  unix_seconds: toEpoch('1000000'),
  unix_millis: toEpoch('1000'),
  unix_micros: total((call) => `epoch_us(${call.sql(0)})`),
  date_from_unix_date: failing(
    (call) =>
      `CAST(${inRange.call([`TIMESTAMP '1970-01-01' + to_days(CAST(${call.sql(0)} AS INTEGER))`])} AS DATE)`,
  ),
  unix_date: total((call) => `date_diff('day', DATE '1970-01-01', ${call.sql(0)})`),
  last_day: total((call) => {
    const unit = call.optional(1) === undefined ? 'MONTH' : part(call, 1);
    if (unit !== 'MONTH') throw call.refusal(unit);
    return `last_day(${call.sql(0)})`;
  }),
};
