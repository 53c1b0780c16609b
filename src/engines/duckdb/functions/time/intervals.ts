import { microsPerDay } from '../../../../sql/values/time-units.ts';
import { inRange } from '../../macros/time.ts';
import type { BucketKind } from '../../udf/interval/bucket.ts';
import {
  addIntervals,
  bucketMicros,
  divideInterval,
  intervalOfPart,
  intervalWithoutMonths,
  justifications,
  makeInterval,
  multiplyInterval,
  subtractIntervals,
} from '../../udf/interval/interval-functions.ts';
import { type FunctionEntries, type FunctionEntry, guarded, macro } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { intervalOf, roughLength } from './date-parts.ts';

/** `a + b` and `a - b` with an INTERVAL as result. */
export function intervalSum(operator: '+' | '-', call: FunctionCall): string {
  const [a, b] = [call.arg(0), call.arg(1)];
  if (a.type.kind === 'INTERVAL') {
    return (operator === '+' ? addIntervals : subtractIntervals).call([a.sql, b.sql], call.safe);
  }
  switch (a.type.kind) {
    case 'DATE':
      return `to_days(CAST(date_diff('day', ${b.sql}, ${a.sql}) AS INTEGER))`;
    case 'TIMESTAMP':
      return `to_microseconds(epoch_us(${a.sql}) - epoch_us(${b.sql}))`;
    case 'TIME':
      return `to_microseconds(date_diff('microseconds', ${b.sql}, ${a.sql}))`;
    case 'DATETIME': {
      const micros = `(epoch_us(${a.sql}) - epoch_us(${b.sql}))`;
      return `(to_days(CAST(${micros} // ${microsPerDay} AS INTEGER)) + to_microseconds(${micros} % ${microsPerDay}))`;
    }
    default:
      throw call.refusal(a.type.kind);
  }
}

/** Adds an interval to a date or time, or subtracts it. */
export function shiftedByInterval(operator: '+' | '-', call: FunctionCall): string {
  const [a, b] = [call.arg(0), call.arg(1)];
  const [time, interval] = a.type.kind === 'INTERVAL' ? [b, a] : [a, b];
  const step =
    time.type.kind === 'TIMESTAMP' ? intervalWithoutMonths.call([interval.sql], call.safe) : interval.sql;
  return inRange.call([`CAST(${time.sql} ${operator} ${step} AS TIMESTAMP)`], call.safe);
}

export function intervalProduct(call: FunctionCall): string {
  const [a, b] = [call.arg(0), call.arg(1)];
  const args = a.type.kind === 'INTERVAL' ? [a.sql, b.sql] : [b.sql, a.sql];
  return multiplyInterval.call(args, call.safe);
}

export function intervalQuotient(call: FunctionCall): string {
  return divideInterval.call([call.sql(0), call.sql(1)], call.safe);
}

/** Microseconds of ten years: an interval of this length is always in range. */
const surelyInRange = 10n ** 14n * 3n;

/** `INTERVAL x DAY`. */
function literalInterval(call: FunctionCall): string {
  const [count, part] = [call.arg(0), call.constantText(1, 'date part')];
  const known = count.constant?.value;
  const isShort = typeof known === 'bigint' && roughLength(known, part) < surelyInRange;
  if (isShort) return intervalOf(count.sql, part);
  return intervalOfPart.call([count.sql, `'${part}'`], call.safe);
}

/** DuckDB supports buckets with a width in days or microseconds. */
const bucket: FunctionEntry = guarded((call) => {
  const kind = call.arg(0).type.kind as BucketKind;
  const [time, width] = [call.sql(0), call.sql(1)];
  const origin = call.optional(2)?.sql ?? "TIMESTAMP '1950-01-01'";
  const cast = (sql: string) => (kind === 'DATE' ? `CAST(${sql} AS TIMESTAMP)` : sql);
  const parts = [`date_part('year', ${width})`, `date_part('month', ${width})`];
  const clock = `date_part('microsecond', ${width}) + date_part('minute', ${width}) + date_part('hour', ${width})`;
  const isPlain = [
    ...parts.map((part) => `${part} = 0`),
    `${width} > INTERVAL 0 DAY`,
    kind === 'DATE' ? `${clock} = 0` : `(${clock} = 0) <> (date_part('day', ${width}) = 0)`,
  ].join(' AND ');
  const exact = bucketMicros.call(
    [`epoch_us(${cast(time)})`, width, `epoch_us(${cast(origin)})`, `'${kind}'`],
    call.safe,
  );
  const start = `CASE WHEN ${isPlain} THEN time_bucket(${width}, ${cast(time)}, ${cast(origin)}) ELSE make_timestamp(${exact}) END`;
  const inYears = inRange.call([start], call.safe);
  return kind === 'DATE' ? `CAST(${inYears} AS DATE)` : inYears;
});

const zero = '0::BIGINT';

export const intervalFunctions: FunctionEntries = {
  $interval: guarded(literalInterval),
  make_interval: guarded((call) => {
    const parts = [0, 1, 2, 3, 4, 5].map((index) => call.optional(index)?.sql ?? zero);
    return makeInterval.call(parts, call.safe);
  }),
  justify_days: macro(justifications.days),
  justify_hours: macro(justifications.hours),
  justify_interval: macro(justifications.all),
  date_bucket: bucket,
  datetime_bucket: bucket,
  timestamp_bucket: bucket,
};
