import { constantExpression, type Expression } from '../../dialect/expression.ts';
import { floorDivide } from '../../macros/numbers.ts';
import {
  civilText,
  clockText,
  dateOfParts,
  datetimeOfParts,
  inRange,
  inRangeOr,
  stringToDatetime,
  timeOfParts,
  timestampOf,
} from '../../macros/time.ts';
import { strictConversions } from '../../udf/json/convert-functions.ts';
import { type FunctionEntries, guarded, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { civilIn, instantIn, instantOfText, instantTextIn } from './zone.ts';

const timestampType = { kind: 'TIMESTAMP' } as const;

const now = (call: FunctionCall) => constantExpression(timestampType, call.now);

/** The civil time of an instant. In a zone it can be outside the years 1 to 9999. */
function civil(t: string, zone: Expression | undefined, safe: boolean): string {
  const found = civilIn(t, zone, safe);
  return found === t ? t : inRange.call([found], safe);
}

function instant(civilTime: string, zone: Expression | undefined, safe: boolean): string {
  const found = instantIn(civilTime, zone, safe);
  return found === civilTime ? civilTime : inRange.call([found], safe);
}

function toTimestamp(call: FunctionCall): string {
  const [value, zone] = [call.arg(0), call.optional(1)];
  switch (value.type.kind) {
    case 'STRING':
      return instantOfText(value, zone, call.safe);
    case 'TIMESTAMP':
      return value.sql;
    default:
      return instant(`CAST(${value.sql} AS TIMESTAMP)`, zone, call.safe);
  }
}

const sqlOf = (call: FunctionCall) => call.all().map(({ sql }) => sql);

function toDatetime(call: FunctionCall): string {
  if (call.count >= 6) return datetimeOfParts.call(sqlOf(call), call.safe);
  const [value, second] = [call.arg(0), call.optional(1)];
  switch (value.type.kind) {
    case 'TIMESTAMP':
      return civil(value.sql, second, call.safe);
    case 'STRING':
      return stringToDatetime.call([value.sql], call.safe);
    case 'DATETIME':
      return value.sql;
    default:
      return second === undefined ? `CAST(${value.sql} AS TIMESTAMP)` : `(${value.sql} + ${second.sql})`;
  }
}

/** The date of a text is that of the instant that it represents, unlike with CAST. */
function toDate(call: FunctionCall): string {
  if (call.count === 3) return dateOfParts.call(sqlOf(call), call.safe);
  const value = call.arg(0);
  if (value.type.kind === 'STRING') return `CAST(${instantOfText(value, undefined, call.safe)} AS DATE)`;
  return `CAST(${civil(value.sql, call.optional(1), call.safe)} AS DATE)`;
}

function toTime(call: FunctionCall): string {
  if (call.count === 3) return timeOfParts.call(sqlOf(call), call.safe);
  const value = call.arg(0);
  if (value.type.kind === 'TIME') return value.sql;
  return `CAST(${civilIn(value.sql, call.optional(1), call.safe)} AS TIME)`;
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

/** @param factor microseconds per unit */
const fromEpoch = (factor: number) =>
  guarded((call) => timestampOf.call([call.sql(0), String(factor)], call.safe));

const toEpoch = (divisor: string) => total((call) => floorDivide.call([`epoch_us(${call.sql(0)})`, divisor]));

/** Days from 1970-01-01 to the first and the last DATE. */
const [firstDay, lastDay] = [-719_162, 2_932_896];

function fromUnixDate(call: FunctionCall): string {
  const days = call.sql(0);
  const near = `greatest(least(${days}, ${lastDay + 1}), ${firstDay - 1})`;
  const message = `'DATE_FROM_UNIX_DATE range is ${firstDay} to ${lastDay} but saw ' || ${days}`;
  const moved = `CASE WHEN ${days} IS NOT NULL THEN TIMESTAMP '1970-01-01' + to_days(CAST(${near} AS INTEGER)) END`;
  return `CAST(${inRangeOr.call([moved, message], call.safe)} AS DATE)`;
}

export const dateFunctions: FunctionEntries = {
  current_timestamp: total(now),
  current_datetime: guarded((call) => civilIn(now(call).sql, call.optional(0), call.safe)),
  current_date: guarded((call) => `CAST(${civilIn(now(call).sql, call.optional(0), call.safe)} AS DATE)`),
  current_time: guarded((call) => `CAST(${civilIn(now(call).sql, call.optional(0), call.safe)} AS TIME)`),
  timestamp: guarded(toTimestamp),
  datetime: guarded(toDatetime),
  date: guarded(toDate),
  time: guarded(toTime),
  string: guarded(toText),
  timestamp_seconds: fromEpoch(1_000_000),
  timestamp_millis: fromEpoch(1000),
  timestamp_micros: fromEpoch(1),
  unix_seconds: toEpoch('1000000'),
  unix_millis: toEpoch('1000'),
  unix_micros: total((call) => `epoch_us(${call.sql(0)})`),
  date_from_unix_date: guarded(fromUnixDate),
  unix_date: total((call) => `date_diff('day', DATE '1970-01-01', ${call.sql(0)})`),
};
