import { Failure } from '../../../../sql/values/function-errors.ts';
import { microsByPart, microsPerDay } from '../../../../sql/values/time-units.ts';

/** An INTERVAL: three parts that are not converted into each other, each with its own sign. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly micros: bigint;
}

const daysPerMonth = 30n;

const maxMonths = 120_000n;
const maxDays = 3_660_000n;
const maxMicros = 316_224_000_000_000_000n;

/**
 * The interval with these parts.
 *
 * @throws Failure when a part is beyond 10,000 years
 */
export function intervalOf(months: bigint, days: bigint, micros: bigint): Interval {
  assertPart('months', months, maxMonths);
  assertPart('days', days, maxDays);
  assertPart('nanoseconds', micros * 1000n, maxMicros * 1000n);
  return { months: Number(months), days: Number(days), micros };
}

function assertPart(name: string, value: bigint, max: bigint): void {
  if (value > max || value < -max)
    throw new Failure(`Interval field ${name} '${value}' is out of range -${max} to ${max}`);
}

/** `a + b`, or `a - b` with the factor -1. */
export function sum(a: Interval, b: Interval, factor: bigint): Interval {
  return intervalOf(
    BigInt(a.months) + BigInt(b.months) * factor,
    BigInt(a.days) + BigInt(b.days) * factor,
    a.micros + b.micros * factor,
  );
}

export function product({ months, days, micros }: Interval, factor: bigint): Interval {
  return intervalOf(BigInt(months) * factor, BigInt(days) * factor, micros * factor);
}

export function quotient({ months, days, micros }: Interval, divisor: bigint): Interval {
  return quotientOfParts(BigInt(months), BigInt(days), micros, divisor);
}

/** The remainder of months is carried to days, 30 per month, and the remainder of days to hours. Parts can have any size. */
export function quotientOfParts(months: bigint, days: bigint, micros: bigint, divisor: bigint): Interval {
  if (divisor === 0n) throw new Failure('Interval division by zero');
  const allDays = days + (months % divisor) * daysPerMonth;
  const allMicros = micros + (allDays % divisor) * microsPerDay;
  return intervalOf(months / divisor, allDays / divisor, allMicros / divisor);
}

/** Converts each 30 days to a month. The rest keeps the sign of the whole. */
export function justifyDays({ months, days, micros }: Interval): Interval {
  const all = BigInt(months) * daysPerMonth + BigInt(days);
  return intervalOf(all / daysPerMonth, all % daysPerMonth, micros);
}

/** Converts each 24 hours to a day. The rest keeps the sign of the whole. */
export function justifyHours({ months, days, micros }: Interval): Interval {
  const all = BigInt(days) * microsPerDay + micros;
  return intervalOf(BigInt(months), all / microsPerDay, all % microsPerDay);
}

/** Both at once. */
export function justify({ months, days, micros }: Interval): Interval {
  const all = (BigInt(months) * daysPerMonth + BigInt(days)) * microsPerDay + micros;
  const allDays = all / microsPerDay;
  return intervalOf(allDays / daysPerMonth, allDays % daysPerMonth, all % microsPerDay);
}

const unitMonths: Readonly<Record<string, bigint>> = { YEAR: 12n, QUARTER: 3n, MONTH: 1n };
const unitDays: Readonly<Record<string, bigint>> = { WEEK: 7n, DAY: 1n };

/** An interval of a number of date parts. */
export function ofPart(count: bigint, part: string): Interval {
  return intervalOf(
    count * (unitMonths[part] ?? 0n),
    count * (unitDays[part] ?? 0n),
    part in unitDays ? 0n : count * (microsByPart[part] ?? 0n),
  );
}
