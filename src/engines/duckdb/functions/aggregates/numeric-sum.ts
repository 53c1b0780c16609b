import { averageNumeric, numericSum } from '../../macros/aggregates.ts';
import { numericBelow, numericHigh } from '../../macros/numeric-limbs.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { ofEachValue } from './each-value.ts';

/**
 * The sum of NUMERIC values in two parts, since DuckDB fails on the sum of two of the largest values, even if others take
 * it back into the range.
 */
export function partsOfNumerics(call: AggregateCall): readonly [below: string, high: string] {
  const aggregate = ofEachValue(call);
  return [
    aggregate('sum', (value) => numericBelow.call([value])),
    aggregate('sum', (value) => numericHigh.call([value])),
  ];
}

export const sumOfNumerics = (call: AggregateCall) => numericSum.call(partsOfNumerics(call), call.safe);

export const averageOfNumerics = (call: AggregateCall, count: string) =>
  averageNumeric.call([...partsOfNumerics(call), count]);
