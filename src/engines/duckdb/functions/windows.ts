import type { AggregateEntries, AggregateEntry } from './entry.ts';

const numbering =
  (name: string): AggregateEntry =>
  (call) =>
    `${name}()${call.over}`;

const navigation =
  (name: string): AggregateEntry =>
  (call) => {
    const args = call.all().map(({ sql }) => sql);
    const nulls = call.nulls === 'IGNORE_NULLS' ? ' IGNORE NULLS' : '';
    return `${name}(${args.join(', ')}${nulls})${call.over}`;
  };

/** NULL is left out, as GoogleSQL does unless it is told otherwise. */
const percentile =
  (name: string): AggregateEntry =>
  (call) => {
    if (call.nulls === 'RESPECT_NULLS') throw call.refusal('RESPECT NULLS');
    const fraction = call.constant(1, 'fraction');
    if (typeof fraction !== 'number') throw call.refusal('this fraction');
    return `${name}(${call.sql(0)}, ${fraction})${call.over}`;
  };

/** The functions that are only analytic. */
export const windowFunctions: AggregateEntries = {
  row_number: numbering('row_number'),
  rank: numbering('rank'),
  dense_rank: numbering('dense_rank'),
  percent_rank: numbering('percent_rank'),
  cume_dist: numbering('cume_dist'),
  ntile: navigation('ntile'),
  lag: navigation('lag'),
  lead: navigation('lead'),
  first_value: navigation('first_value'),
  last_value: navigation('last_value'),
  nth_value: navigation('nth_value'),
  percentile_cont: percentile('quantile_cont'),
  percentile_disc: percentile('quantile_disc'),
};
