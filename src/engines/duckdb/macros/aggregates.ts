import { bignumericKind } from '../udf/decimals/decimal.ts';
import { Macro } from './macro.ts';
import { withNamedValues } from './named-values.ts';
import { highUnit } from './numeric-limbs.ts';

const one = '1000000000';

/** A NUMERIC as a whole number of billionths. */
const billionths = (sql: string) =>
  `(CAST(trunc(${sql}) AS HUGEINT) * ${one} + CAST((${sql} - CAST(trunc(${sql}) AS DECIMAL(38,9))) * ${one} AS HUGEINT))`;

/** A whole number of billionths as a NUMERIC. */
const ofBillionths = (sql: string) =>
  `CAST(CAST(${sql} // ${one} AS DECIMAL(38,9))
    + CAST(CAST(${sql} % ${one} AS DECIMAL(12,0)) * 0.000000001 AS DECIMAL(38,9)) AS DECIMAL(38,9))`;

const highBillionths = `(${highUnit}::HUGEINT * ${one})`;

/** The sum beyond which HUGEINT can't hold billionths, in units of the high part. The low part changes it little. */
const maxHigh = '1500000000000';

const maxBillionths = '99999999999999999999999999999999999999::HUGEINT';

/** The sum of decimals, of which `high` counts whole units and `below` is the rest. `high` is NULL for small decimals. */
export const numericSum = new Macro('numeric_sum', ['below', 'high'], (mode) => {
  const overflow = mode.raise("'numeric overflow: SUM'", 'DECIMAL(38,9)');
  const total = `high * ${highBillionths} + ${billionths('below')}`;
  const checked = withNamedValues(
    'v',
    { total },
    ({ total }) =>
      `CASE WHEN abs(${total}) > ${maxBillionths} THEN ${overflow} ELSE ${ofBillionths(total)} END`,
  );
  return `CASE WHEN high IS NULL THEN below WHEN abs(high) > ${maxHigh} THEN ${overflow} ELSE ${checked} END`;
});

/**
 * `below / n`, rounded half away from zero. Two quotients in floating point come so near to it that the rest is a matter
 * of a few billionths: dividing HUGEINT takes ten times as long, as does a lambda.
 */
const smallQuotient = (() => {
  const quotient = (rest: string) => `CAST(CAST(${rest} AS DOUBLE) / n AS DECIMAL(38,9))`;
  const less = (total: string, part: string) => `(${total} - ${part} * CAST(n AS DECIMAL(18,0)))`;
  const first = quotient('below');
  const rest = less('below', first);
  const second = quotient(rest);
  const last = `round(CAST(${less(rest, second)} AS DOUBLE) * 1e9)`;
  const sign = 'CASE WHEN below < 0 THEN -1 ELSE 1 END';
  const more = `(${sign}) * floor((2 * (${sign}) * ${last} + n) / (2 * n))`;
  const billionth = '0.000000001::DECIMAL(10,9)';
  return `CAST(${first} + ${second} + CAST(${more} AS DECIMAL(12,0)) * ${billionth} AS DECIMAL(38,9))`;
})();

const quotientParts = {
  n: 'n',
  whole: 'high::HUGEINT // n',
  rest: `(high::HUGEINT % n) * ${highBillionths} + ${billionths('below')}`,
};

/** The same with a high part. Both parts can have different signs: that of the whole decides how a half is rounded. */
const largeQuotient = withNamedValues('v', quotientParts, (parts) => {
  const sign = `CASE WHEN ${parts.whole} = 0 THEN sign(${parts.rest}) ELSE sign(${parts.whole}) END`;
  return withNamedValues('w', { ...parts, sign }, ({ n, whole, rest, sign }) => {
    const doubled = `(2 * ${sign} * ${rest} + ${n})`;
    const floor = `(${doubled} - ((${doubled} % (2 * ${n})) + 2 * ${n}) % (2 * ${n})) // (2 * ${n})`;
    return `${whole} * ${highBillionths} + ${sign} * (${floor})`;
  });
});

/**
 * The sum of decimals, in the same two parts, divided by their number, rounded to nine digits, half away from zero.
 * DuckDB divides decimals in floating point.
 */
export const averageNumeric = new Macro('average_numeric', ['below', 'high', 'n'], () => {
  const found = withNamedValues('x', { found: largeQuotient }, (named) => ofBillionths(named.found));
  return `CASE WHEN n > 0 THEN CASE WHEN high IS NULL
    THEN ${smallQuotient} ELSE ${found} END END`;
});

/** A sum of BIGNUMERIC is exact in any size. */
export const bignumericSum = new Macro(
  'bignumeric_sum',
  ['total'],
  (mode) => `CASE WHEN total NOT BETWEEN '${bignumericKind.min}'::BIGNUM AND '${bignumericKind.max}'::BIGNUM
    THEN ${mode.raise("'BIGNUMERIC overflow: SUM'", 'BIGNUM')} ELSE total END`,
);

export const aggregateMacros = [averageNumeric, numericSum, bignumericSum];
