import type { AggregateEntries, AggregateEntry } from '../entry.ts';
import type { AggregateCall } from './aggregate-call.ts';

const isDouble = (call: AggregateCall, index: number) => call.arg(index).type.kind === 'FLOAT64';

/**
 * Standard deviations and variances. DuckDB fails on infinite or NaN values. GoogleSQL returns NaN for them, unless
 * there are fewer than `least` values.
 */
const spread =
  (name: string, least: 1 | 2): AggregateEntry =>
  (call) => {
    const value = call.sql(0);
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
