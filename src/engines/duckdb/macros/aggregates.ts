import { bignumericKind } from '../udf/decimal.ts';
import { Macro } from './macro.ts';
import { withNamedValues } from './named-values.ts';

const parts = {
  n: 'n',
  whole: 'CAST(trunc(total) AS HUGEINT) // n',
  rest: `(CAST(trunc(total) AS HUGEINT) % n) * 1000000000
      + CAST((total - CAST(trunc(total) AS DECIMAL(38,9))) * 1000000000 AS HUGEINT)`,
};

function rounded({ n, whole, rest }: typeof parts): string {
  const billionths = `sign(${rest}) * ((2 * abs(${rest}) + ${n}) // (2 * ${n}))`;
  return `CAST(CAST(${whole} AS DECIMAL(38,9))
    + CAST(CAST(${billionths} AS DECIMAL(12,0)) * 0.000000001 AS DECIMAL(38,9)) AS DECIMAL(38,9))`;
}

/**
 * The sum of decimals divided by their number, rounded to nine digits, half away from zero. Computed with integers,
 * because DuckDB divides decimals in floating point.
 */
export const averageNumeric = new Macro(
  'average_numeric',
  ['total', 'n'],
  () => `CASE WHEN n > 0 THEN ${withNamedValues('v', parts, rounded)} END`,
);

/** In DuckDB, a sum of decimals can exceed the range of NUMERIC. */
export const numericSum = new Macro(
  'numeric_sum',
  ['total'],
  (
    mode,
  ) => `CASE WHEN total NOT BETWEEN -99999999999999999999999999999.999999999 AND 99999999999999999999999999999.999999999
    THEN ${mode.raise("'numeric overflow: SUM'", 'DECIMAL(38,9)')} ELSE CAST(total AS DECIMAL(38,9)) END`,
);

/** A sum of BIGNUMERIC is exact in any size. */
export const bignumericSum = new Macro(
  'bignumeric_sum',
  ['total'],
  (mode) => `CASE WHEN total NOT BETWEEN '${bignumericKind.min}'::BIGNUM AND '${bignumericKind.max}'::BIGNUM
    THEN ${mode.raise("'BIGNUMERIC overflow: SUM'", 'BIGNUM')} ELSE total END`,
);

export const aggregateMacros = [averageNumeric, numericSum, bignumericSum];
