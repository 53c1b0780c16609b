import type { AggregateEntries, AggregateEntry } from '../call/entry.ts';
import { percentileCont, percentileDisc } from './percentiles.ts';

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

/** A number of rows or groups, which must be a constant of at least `least`. */
const counted =
  (entry: AggregateEntry, index: number, least: bigint): AggregateEntry =>
  (call) => {
    if (call.optional(index) !== undefined) {
      const count = call.constant(index, 'number of rows');
      if (typeof count !== 'bigint' || count < least) throw call.refusal(`the number of rows ${count}`);
    }
    return entry(call);
  };

/** More rows than there can be. DuckDB fails if the number of a row exceeds INT64. */
const maxRows = 2n ** 53n;

/** LAG and LEAD: the value beside the rows is a constant. */
const neighbour = (name: string): AggregateEntry =>
  counted(
    (call) => {
      if (call.optional(2) !== undefined) call.constant(2, 'default value');
      const [value, rows, ...rest] = call.all().map(({ sql }) => sql);
      const distance = rows === undefined ? [] : [`least(${rows}, ${maxRows})`];
      const nulls = call.nulls === 'IGNORE_NULLS' ? ' IGNORE NULLS' : '';
      return `${name}(${[value, ...distance, ...rest].join(', ')}${nulls})${call.over}`;
    },
    1,
    0n,
  );

/** The functions that are analytic only. */
export const windowFunctions: AggregateEntries = {
  row_number: numbering('row_number'),
  rank: numbering('rank'),
  dense_rank: numbering('dense_rank'),
  percent_rank: numbering('percent_rank'),
  cume_dist: numbering('cume_dist'),
  ntile: counted(navigation('ntile'), 0, 1n),
  lag: neighbour('lag'),
  lead: neighbour('lead'),
  first_value: navigation('first_value'),
  last_value: navigation('last_value'),
  nth_value: counted(navigation('nth_value'), 1, 1n),
  percentile_cont: percentileCont,
  percentile_disc: percentileDisc,
};
