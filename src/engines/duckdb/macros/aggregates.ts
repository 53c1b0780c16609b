import { Macro } from './macro.ts';

/**
 * A sum of decimals divided by how many they were, rounded to nine digits, half away from zero. In integers:
 * DuckDB divides decimals in floating point.
 */
export const averageNumeric = new Macro(
  'average_numeric',
  ['total', 'n'],
  () => `CASE WHEN n > 0 THEN list_extract(list_transform([struct_pack(
      whole := CAST(trunc(total) AS HUGEINT) // n,
      rest := (CAST(trunc(total) AS HUGEINT) % n) * 1000000000
        + CAST((total - CAST(trunc(total) AS DECIMAL(38,9))) * 1000000000 AS HUGEINT))],
    lambda p: CAST(CAST(p.whole AS DECIMAL(38,9))
      + CAST(CAST(sign(p.rest) * ((2 * abs(p.rest) + n) // (2 * n)) AS DECIMAL(12,0)) * 0.000000001 AS DECIMAL(38,9)) AS DECIMAL(38,9))), 1) END`,
);

export const aggregateMacros = [averageNumeric];
