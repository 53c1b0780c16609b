import { abs } from '../../dialect/decimal-units.ts';

/** Rounds a number of units to a multiple of `10 ** drop` units. */
export type Rounding = (units: bigint, drop: number) => bigint;

/** No number has more digits, so dropping more makes no difference. */
const maxDrop = 90;

const rounded =
  (isUp: (rest: bigint, step: bigint, quotient: bigint) => boolean): Rounding =>
  (units, drop) => {
    if (drop <= 0) return units;
    const step = 10n ** BigInt(Math.min(drop, maxDrop));
    const quotient = abs(units) / step;
    const rest = abs(units) % step;
    const result = (quotient + (isUp(rest, step, quotient) ? 1n : 0n)) * step;
    return units < 0n ? -result : result;
  };

export const truncated = rounded(() => false);
export const halfAwayFromZero = rounded((rest, step) => 2n * rest >= step);
export const halfEven = rounded(
  (rest, step, quotient) => 2n * rest > step || (2n * rest === step && quotient % 2n === 1n),
);
export const floored: Rounding = (units, drop) => {
  const result = truncated(units, drop);
  return result > units ? result - 10n ** BigInt(drop) : result;
};
export const ceiled: Rounding = (units, drop) => -floored(-units, drop);
