import { averageInterval, intervalOfParts } from '../../udf/interval/interval-functions.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';

/** DuckDB can't sum intervals, so each of their three parts is summed separately. */
function sumsOfParts(call: AggregateCall, type: 'BIGINT' | 'VARCHAR'): readonly string[] {
  const value = call.sql(0);
  const part = (name: string) => `date_part('${name}', ${value})`;
  const cast = call.safe ? 'TRY_CAST' : 'CAST';
  const total = (parts: string) => `${cast}(sum(${parts})${call.over} AS ${type})`;
  return [
    total(`${part('year')} * 12 + ${part('month')}`),
    total(part('day')),
    total(`${part('hour')} * 3600000000 + ${part('minute')} * 60000000 + ${part('microsecond')}`),
  ];
}

export function sumOfIntervals(call: AggregateCall): string {
  return intervalOfParts.call(sumsOfParts(call, 'BIGINT'), call.safe);
}

/** The sums can exceed the range of INTERVAL, and of INT64. */
export function averageOfIntervals(call: AggregateCall): string {
  const count = `count(${call.sql(0)})${call.over}`;
  return averageInterval.call([...sumsOfParts(call, 'VARCHAR'), count], call.safe);
}
