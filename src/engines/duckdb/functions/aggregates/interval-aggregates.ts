import { divideInterval, intervalOfParts } from '../../udf/interval/interval-functions.ts';
import type { AggregateCall } from './aggregate-call.ts';

/** DuckDB can't sum intervals, so each of their three parts is summed separately. */
export function sumOfIntervals(call: AggregateCall): string {
  if (call.distinct !== '') throw call.refusal('DISTINCT with INTERVAL');
  const value = call.sql(0);
  const part = (name: string) => `date_part('${name}', ${value})`;
  const cast = call.safe ? 'TRY_CAST' : 'CAST';
  const total = (parts: string) => `${cast}(sum(${parts})${call.over} AS BIGINT)`;
  return intervalOfParts.call(
    [
      total(`${part('year')} * 12 + ${part('month')}`),
      total(part('day')),
      total(`${part('hour')} * 3600000000 + ${part('minute')} * 60000000 + ${part('microsecond')}`),
    ],
    call.safe,
  );
}

export function averageOfIntervals(call: AggregateCall): string {
  return divideInterval.call([sumOfIntervals(call), `count(${call.sql(0)})${call.over}`], call.safe);
}
