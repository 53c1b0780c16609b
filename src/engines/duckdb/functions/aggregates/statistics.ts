import type { AggregateEntries, AggregateEntry } from '../entry.ts';
import type { AggregateCall } from './aggregate-call.ts';

const isDouble = (call: AggregateCall, index: number) => call.arg(index).type.kind === 'FLOAT64';

/** NUMERIC can't hold the distance of its largest values; as FLOAT64 they are exact enough beside it. */
function distance(value: string, from: string): string {
  const isLarge = (decimal: string) => `abs(${decimal}) > 49999999999999999999999999999`;
  const rounded = `CAST(${value} AS DOUBLE) - CAST(${from} AS DOUBLE)`;
  return `CASE WHEN ${isLarge(value)} OR ${isLarge(from)} THEN ${rounded} ELSE CAST(${value} - ${from} AS DOUBLE) END`;
}

/**
 * The spread of the distances from one of the values, which are exact. As FLOAT64, decimals that are close to each
 * other and far from zero would be equal.
 */
function spreadOfDecimals(name: string, call: AggregateCall): string {
  const value = call.sql(0);
  const values = `list(${call.distinct}${value}) FILTER (WHERE ${value} IS NOT NULL)${call.over}`;
  const distances = `list_transform([${values}], lambda l: list_transform(l, lambda v: ${distance('v', 'l[1]')}))[1]`;
  return `list_aggregate(${distances}, '${name}')`;
}

/**
 * Standard deviations and variances. DuckDB fails on infinite or NaN values. GoogleSQL returns NaN for them, unless
 * there are fewer than `least` values.
 */
const spread =
  (name: string, least: 1 | 2): AggregateEntry =>
  (call) => {
    const value = call.sql(0);
    if (call.arg(0).type.kind === 'NUMERIC') return spreadOfDecimals(name, call);
    if (!isDouble(call, 0)) return `${name}(${call.distinct}${value})${call.over}`;
    const finite = `CASE WHEN isfinite(${value}) THEN ${value} END`;
    const all = `count(${call.distinct}${value})${call.over}`;
    const sql = `${name}(${call.distinct}${finite})${call.over}`;
    return `CASE WHEN bool_or(NOT isfinite(${value}))${call.over} AND ${all} >= ${least} THEN 'nan'::DOUBLE
      WHEN ${all} >= ${least} THEN ${sql} END`;
  };

/** The same for pairs of values. Pairs with a NULL are ignored. */
const pairwise =
  (name: string, least: 1 | 2): AggregateEntry =>
  (call) => {
    const [a, b] = [call.sql(0), call.sql(1)];
    const doubles = [a, b].filter((_, index) => isDouble(call, index));
    const finite = doubles.map((value) => `isfinite(${value})`).join(' AND ') || 'true';
    const paired = (value: string) => `CASE WHEN ${finite} THEN ${value} END`;
    const all = `count(CASE WHEN ${a} IS NOT NULL AND ${b} IS NOT NULL THEN 1 END)${call.over}`;
    const sql = `${name}(${paired(a)}, ${paired(b)})${call.over}`;
    return `CASE WHEN ${all} < ${least} THEN NULL WHEN bool_or(CASE WHEN ${a} IS NOT NULL AND ${b} IS NOT NULL
      THEN NOT (${finite}) END)${call.over} THEN 'nan'::DOUBLE ELSE ${sql} END`;
  };

export const statisticalAggregates: AggregateEntries = {
  stddev_samp: spread('stddev_samp', 2),
  stddev_pop: spread('stddev_pop', 1),
  var_samp: spread('var_samp', 2),
  var_pop: spread('var_pop', 1),
  corr: pairwise('corr', 2),
  covar_pop: pairwise('covar_pop', 1),
  covar_samp: pairwise('covar_samp', 2),
};
