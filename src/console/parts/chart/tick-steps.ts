import { wholeTimeSteps } from './time-steps.ts';

const allSteps = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, ...wholeTimeSteps];

/**
 * The distances that ticks of a time axis may have, in seconds, ascending. Times of equal buckets, such as days, get no
 * ticks within a bucket.
 *
 * @param times in seconds since the epoch, ascending
 */
export function timeSteps(times: readonly number[]): number[] {
  if (!times.every(Number.isInteger)) return allSteps;
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const gap = gaps.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const isBucket = (step: number) => step <= gap && times.every((time) => time % step === 0);
  const bucket = times.length < 2 ? undefined : wholeTimeSteps.findLast(isBucket);
  return wholeTimeSteps.filter((step) => step >= (bucket ?? 0));
}

const wholeNumbers = Array.from({ length: 16 }, (_, zeros) =>
  [1, 2, 5].map((digit) => digit * 10 ** zeros),
).flat();
const fractions = Array.from({ length: 16 }, (_, zeros) =>
  [1, 2, 2.5, 5].map((digit) => digit / 10 ** (16 - zeros)),
).flat();
const numberSteps = [...fractions, ...wholeNumbers];

/** The distances that ticks of an axis of numbers may have, ascending. What is counted has no ticks between whole numbers. */
export function valueSteps(
  series: readonly { readonly name?: string; readonly values: readonly (number | null | undefined)[] }[],
): number[] {
  const isWhole = series.every(({ values }) =>
    values.every((value) => value == null || Number.isInteger(value)),
  );
  return isWhole ? wholeNumbers : numberSteps;
}
