import { Macro } from './macro.ts';

const least = '-9223372036854775808';
const bits = 'CAST(CAST(x AS BIT) AS BIGINT)';

/**
 * Twice the rank of a number among all floating point numbers, in GoogleSQL's order: NaN is the lowest, and both zeros
 * are equal. The bits of positive numbers are in their order, those of negative ones in the reverse order.
 */
export const doubleRank = new Macro(
  'double_rank',
  ['x'],
  () => `(2 * CAST(CASE WHEN isnan(x) THEN ${least} WHEN x = 0 THEN 0 WHEN x < 0 THEN ${least} - ${bits}
    ELSE ${bits} END AS HUGEINT))`,
);

/** Between the greatest number and infinity. */
const beyondGreatest = `${2n * 0x7fefffffffffffffn + 1n}::HUGEINT`;

/**
 * The rank at a finite distance from a number. It is beyond the greatest number where the sum exceeds it, but never
 * reaches infinity.
 */
export const rankAtDistance = new Macro(
  'rank_at_distance',
  ['x', 'distance'],
  () => `CASE WHEN isfinite(x) AND NOT isfinite(x + distance) THEN sign(distance) * ${beyondGreatest}
    ELSE ${doubleRank.call(['(x + distance)'])} END`,
);

export const doubleRankMacros = [doubleRank, rankAtDistance];
