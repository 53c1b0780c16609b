import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsPerSecond } from '../../../../sql/values/time-units.ts';
import { formatInterval } from '../../../../sql/values/value-text.ts';
import {
  intervalOf,
  justify,
  justifyDays,
  justifyHours,
  ofPart,
  product,
  quotient,
  quotientOfParts,
  sum,
} from '../js/interval.ts';
import { JsFunction } from '../js/js-function.ts';
import { int64, interval, text } from '../js/js-type.ts';
import { type BucketKind, bucketStart } from './bucket.ts';
import { isoInterval, readInterval } from './interval-text.ts';

export const addIntervals = new JsFunction('add_intervals', [interval, interval], interval, (a, b) =>
  sum(a, b, 1n),
);
export const subtractIntervals = new JsFunction(
  'subtract_intervals',
  [interval, interval],
  interval,
  (a, b) => sum(a, b, -1n),
);
export const multiplyInterval = new JsFunction('multiply_interval', [interval, int64], interval, product);
export const divideInterval = new JsFunction('divide_interval', [interval, int64], interval, quotient);

/** `(months, days, microseconds, count)`, of which the first three are sums of any size. */
export const averageInterval = new JsFunction(
  'average_interval',
  [text, text, text, int64],
  interval,
  (months, days, micros, count) => quotientOfParts(BigInt(months), BigInt(days), BigInt(micros), count),
);

export const justifications = {
  days: new JsFunction('justify_days', [interval], interval, justifyDays),
  hours: new JsFunction('justify_hours', [interval], interval, justifyHours),
  all: new JsFunction('justify_interval', [interval], interval, justify),
};

/** `(years, months, days, hours, minutes, seconds)` */
export const makeInterval = new JsFunction(
  'make_interval',
  [int64, int64, int64, int64, int64, int64],
  interval,
  (years, months, days, hours, minutes, seconds) =>
    intervalOf(years * 12n + months, days, ((hours * 60n + minutes) * 60n + seconds) * microsPerSecond),
);

/** `(months, days, microseconds)` */
export const intervalOfParts = new JsFunction(
  'interval_of_parts',
  [int64, int64, int64],
  interval,
  intervalOf,
);

/** `(count, part)` */
export const intervalOfPart = new JsFunction('interval_of_part', [int64, text], interval, ofPart);

export const intervalOfText = new JsFunction('interval_of_text', [text], interval, readInterval);
export const textOfInterval = new JsFunction(
  'text_of_interval',
  [interval],
  text,
  ({ months, days, micros }) => formatInterval(months, days, micros),
);
export const isoTextOfInterval = new JsFunction('iso_text_of_interval', [interval], text, isoInterval);

/** An instant has no calendar to add months in. */
export const intervalWithoutMonths = new JsFunction(
  'interval_without_months',
  [interval],
  interval,
  (value) => {
    if (value.months === 0) return value;
    throw new Failure(
      'TIMESTAMP +/- INTERVAL is not supported for intervals with non-zero MONTH or YEAR part.',
    );
  },
);

/** `(microseconds, width, microseconds of the origin, type)` */
export const bucketMicros = new JsFunction(
  'bucket_micros',
  [int64, interval, int64, text],
  int64,
  (time, width, origin, kind) => bucketStart(time, width, origin, kind as BucketKind),
);

export const intervalFunctionsInJs = [
  addIntervals,
  subtractIntervals,
  multiplyInterval,
  divideInterval,
  averageInterval,
  ...Object.values(justifications),
  makeInterval,
  intervalOfParts,
  intervalOfPart,
  intervalOfText,
  textOfInterval,
  isoTextOfInterval,
  intervalWithoutMonths,
  bucketMicros,
];
