import { Macro } from './macro.ts';
import { withNamedValues } from './named-values.ts';

/**
 * A NUMERIC as whole numbers in base 10^9, least first: `l[1] * 10^-9 + l[2] + l[3] * 10^9 + ...`. Products of them fit in
 * INT64, so DuckDB sums them up exactly and quickly. NUMERIC itself has no type in DuckDB for its squares.
 */
export const limbCount = 5;

/** Values with two limbs only. DECIMAL(18, 9) holds them, with which DuckDB computes quickly. */
const isSmall = (value: string) => `${value} BETWEEN -999999999 AND 999999999`;

const smallWhole = (value: string) => `CAST(trunc(CAST(${value} AS DECIMAL(18,9))) AS BIGINT)`;

const smallBillionths = (value: string) => {
  const small = `CAST(${value} AS DECIMAL(18,9))`;
  return `CAST(round(CAST(${small} - CAST(trunc(${small}) AS DECIMAL(18,9)) AS DOUBLE) * 1e9) AS BIGINT)`;
};

/** `value - count * 10^power`, exactly. */
const less = (value: string, count: string, power: number) =>
  `(${value} - CAST(CAST(${count} AS DECIMAL(18,0)) * CAST('1e${power}' AS DECIMAL(19,0)) AS DECIMAL(38,9)))`;

/** The digits from 10^18 upwards. Rounding to DOUBLE must not lead to more than a NUMERIC holds. */
const high = (value: string) =>
  `CAST(greatest(least(trunc(CAST(${value} AS DOUBLE) / 1e18), 99999999999), -99999999999) AS BIGINT)`;

/** Limbs may exceed 10^9 a little, since they come from quotients in floating point. What is left over is exact. */
const numericLimbs = new Macro('numeric_limbs', ['x'], () =>
  withNamedValues('a', { x: 'x', high: high('x') }, ({ x, high }) =>
    withNamedValues('b', { high, below: less(x, high, 18) }, ({ high, below }) =>
      withNamedValues(
        'c',
        { high, below, middle: `CAST(round(CAST(${below} AS DOUBLE) / 1e9) AS BIGINT)` },
        ({ high, below, middle }) =>
          withNamedValues('d', { high, middle, rest: less(below, middle, 9) }, ({ high, middle, rest }) => {
            const limbs = [smallBillionths(rest), smallWhole(rest), middle];
            return `[${limbs.join(', ')}, ${high} % 1000000000, ${high} // 1000000000]`;
          }),
      ),
    ),
  ),
);

const limbs = [...Array(limbCount).keys()];

/** One limb of a value. NULL for NULL, which `greatest` and `least` would ignore. */
export const numericLimb = limbs.map((limb) => {
  const small = limb === 0 ? smallBillionths('x') : limb === 1 ? smallWhole('x') : '0';
  const any = `${numericLimbs.call(['x'])}[${limb + 1}]`;
  return new Macro(
    `numeric_limb_${limb}`,
    ['x'],
    () => `CASE WHEN ${isSmall('x')} THEN ${small}
      WHEN x IS NOT NULL THEN ${any} END`,
  );
});

/** The part of a product of two values that counts `10^(9 * place - 18)`. */
export const numericProduct = [...Array(2 * limbCount - 1).keys()].map((place) => {
  const pairs = limbs.filter((limb) => place - limb >= 0 && place - limb < limbCount);
  const any = withNamedValues('p', { x: numericLimbs.call(['x']), y: numericLimbs.call(['y']) }, ({ x, y }) =>
    pairs.map((limb) => `${x}[${limb + 1}] * ${y}[${place - limb + 1}]`).join(' + '),
  );
  const [x0, x1, y0, y1] = [smallBillionths('x'), smallWhole('x'), smallBillionths('y'), smallWhole('y')];
  const small = [`${x0} * ${y0}`, `${x0} * ${y1} + ${x1} * ${y0}`, `${x1} * ${y1}`][place] ?? '0';
  return new Macro(
    `numeric_product_${place}`,
    ['x', 'y'],
    () => `CASE WHEN ${isSmall('x')} AND ${isSmall('y')} THEN ${small}
      WHEN x IS NOT NULL AND y IS NOT NULL THEN ${any} END`,
  );
});

export const limbMacros = [numericLimbs, ...numericLimb, ...numericProduct];
