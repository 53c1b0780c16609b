import type { Span } from '../../../base/forms/spans.ts';
import { microsPerDay } from '../../../sql/values/time-units.ts';
import type { TimeBound } from '../bounds/condition.ts';
import { type KnownValues, knownValue } from '../bounds/known-value.ts';

/**
 * The days (UTC) all of whose times are within bounds, and whether they have a beginning. Undefined if the gateway can't tell, or
 * there are none.
 *
 * @param end no day ends after it
 */
export function daysWithin(bounds: readonly TimeBound[], known: KnownValues, end: bigint): Span | undefined {
  let from: bigint | undefined;
  let to = floorDay(end);
  for (const { operator, time } of bounds) {
    const value = knownValue(time, known);
    if (typeof value !== 'bigint') return undefined;
    switch (operator) {
      case '=':
        return undefined;
      case '>=':
      case '>': {
        const begin = ceilDay(operator === '>' ? value + 1n : value);
        if (from === undefined || begin > from) from = begin;
        break;
      }
      default: {
        const last = floorDay(operator === '<=' ? value + 1n : value);
        if (last < to) to = last;
      }
    }
  }
  return from === undefined || from >= to ? undefined : { from, to };
}

/** The times that two spans have in common. Undefined if there are none. */
export function common(left: Span | undefined, right: Span | undefined): Span | undefined {
  if (left === undefined || right === undefined) return undefined;
  const from = left.from > right.from ? left.from : right.from;
  const to = left.to < right.to ? left.to : right.to;
  return from < to ? { from, to } : undefined;
}

/** The beginnings of the days of a span. */
export function daysOf({ from, to }: Span): readonly bigint[] {
  return Array.from(
    { length: Number((to - from) / microsPerDay) },
    (_, i) => from + BigInt(i) * microsPerDay,
  );
}

function floorDay(time: bigint): bigint {
  return time - (((time % microsPerDay) + microsPerDay) % microsPerDay);
}

/** The beginning of the first day that doesn't begin before a time. */
export function ceilDay(time: bigint): bigint {
  return -floorDay(-time);
}
