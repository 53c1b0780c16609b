import { Macro } from './macro.ts';

const limbCount = 3;

/** `limb * 10^digits` as a NUMERIC. */
const shifted = (limb: string, digits: number) =>
  `CAST(CAST(${limb} AS DECIMAL(14,0)) * 1${'0'.repeat(digits)}::DECIMAL(19,0) AS DECIMAL(38,9))`;

/** Keeps the greatest NUMERIC, which rounds to 1e29, from a limb with one more digit. */
const roundedDown = 1 - 2 ** -52;

/**
 * A NUMERIC as billionths in base 10^13, least limb first. HUGEINT holds the sum of any number of products of limbs;
 * DuckDB has no type for that of squares of NUMERIC. The limbs are quotients in FLOAT64: these can be off by one, but
 * what they leave over is exact, and so is their sum. There is no CASE, so DuckDB computes each limb once for a row.
 */
const highest = `trunc(CAST(x AS DOUBLE) / 1e17 * ${roundedDown})`;
const highLimb = new Macro('numeric_limb_2', ['x'], () => `CAST(${highest} AS BIGINT)`);
const belowHigh = `(x - ${shifted(highLimb.call(['x']), 17)})`;

const numericLimbs = (() => {
  const middle = new Macro(
    'numeric_limb_1',
    ['x'],
    () => `CAST(trunc(CAST(${belowHigh} AS DOUBLE) / 1e4) AS BIGINT)`,
  );
  const rest = `${belowHigh} - ${shifted(middle.call(['x']), 4)}`;
  const low = new Macro(
    'numeric_limb_0',
    ['x'],
    () => `CAST(round(CAST(${rest} AS DOUBLE) * 1e9) AS BIGINT)`,
  );
  return [low, middle, highLimb];
})();

/** The highest limb counts this. */
export const highUnit = '100000000000000000';

const isSmall = `x BETWEEN -${highUnit} AND ${highUnit}`;

/** The highest limb of a large value, which is rare, and NULL for any other. HUGEINT holds the sum of all others. */
export const numericHigh = new Macro(
  'numeric_high',
  ['x'],
  () => `CASE WHEN NOT (${isSmall}) THEN ${highLimb.call(['x'])} END`,
);

/** What {@link numericHigh} leaves over. */
export const numericBelow = new Macro(
  'numeric_below',
  ['x'],
  () => `CASE WHEN ${isSmall} THEN x WHEN x IS NOT NULL THEN ${belowHigh} END`,
);

const limbs = [...Array(limbCount).keys()];

/** The limbs of a value. */
export const numericLimb: readonly Macro[] = numericLimbs;

/** The parts of a product of two values in the same base, as HUGEINT. */
export const numericProduct: readonly Macro[] = [...Array(2 * limbCount - 1).keys()].map((place) => {
  const products = limbs
    .filter((limb) => place - limb >= 0 && place - limb < limbCount)
    .map((limb) => {
      const [x, y] = [numericLimbs[limb]?.call(['x']), numericLimbs[place - limb]?.call(['y'])];
      return `CAST(${x} AS HUGEINT) * ${y}`;
    });
  return new Macro(`numeric_product_${place}`, ['x', 'y'], () => products.join(' + '));
});

/** Each after those that it calls. */
export const limbMacros = [...numericLimb.toReversed(), ...numericProduct, numericHigh, numericBelow];
