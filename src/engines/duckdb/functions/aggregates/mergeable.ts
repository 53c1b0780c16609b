import type { SqlType } from '../../../../sql/values/type.ts';
import { averageNumeric, bignumericSum, numericSum } from '../../macros/aggregates.ts';
import { hllMerge, hllMergePartial } from '../../udf/hll/hll-functions.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import type { AggregateEntry } from '../call/entry.ts';
import { averageOfIntegers } from './aggregates.ts';
import { hllAggregates } from './hll.ts';
import { partsOfNumerics } from './numeric-sum.ts';

/** An aggregate of rows, made from values of parts of these rows. */
export interface MergedAggregate {
  /** The values of a part, as SQL over its rows. */
  readonly parts: readonly string[];
  /**
   * The value of a part that is made of several ones, for each of the values.
   *
   * @param values their SQL, in order
   */
  joined(values: readonly string[]): readonly string[];
  /** The aggregate of all parts. */
  merged(values: readonly string[]): string;
}

const sums = (values: readonly string[]) => values.map((value) => `sum(${value})`);

interface Mergeable {
  /** Whether the value for all rows is exactly that of the parts merged, for values of this type. */
  isExact(type: SqlType['kind'] | undefined): boolean;
  of(call: AggregateCall): MergedAggregate;
}

/** The aggregate of the parts' aggregates is that of all rows. */
function again(name: string): Mergeable {
  return {
    // Which of the zeros 0.0 and -0.0 an extreme is depends on the order of rows, and NaN is an extreme of its own.
    isExact: (type) => type !== 'FLOAT64' && type !== 'INTERVAL',
    of: (call) => ({
      parts: [`${name}(${call.sql(0)})`],
      joined: ([part]) => [`${name}(${part})`],
      merged: ([part]) => `${name}(${part})`,
    }),
  };
}

/** Numbers of rows are added. */
function counted(count: (call: AggregateCall) => string): Mergeable {
  return {
    isExact: () => true,
    of: (call) => ({
      parts: [count(call)],
      joined: sums,
      merged: ([part]) => `CAST(coalesce(sum(${part}), 0) AS BIGINT)`,
    }),
  };
}

const sum: Mergeable = {
  isExact: (type) => type === 'INT64' || type === 'NUMERIC' || type === 'BIGNUMERIC',
  of(call) {
    const value = call.sql(0);
    switch (call.type.kind) {
      case 'NUMERIC':
        return {
          parts: partsOfNumerics(call),
          joined: sums,
          merged: ([below, high]) => numericSum.call([`sum(${below})`, `sum(${high})`], call.safe),
        };
      case 'BIGNUMERIC':
        return {
          parts: [`sum(${value})`],
          joined: sums,
          merged: ([total]) => bignumericSum.call([`sum(${total})`], call.safe),
        };
      default:
        return {
          parts: [`sum(${value})`],
          joined: sums,
          merged: ([total]) => `${call.safe ? 'TRY_CAST' : 'CAST'}(sum(${total}) AS BIGINT)`,
        };
    }
  },
};

const average: Mergeable = {
  isExact: (type) => type === 'INT64' || type === 'NUMERIC',
  of(call) {
    const value = call.sql(0);
    const count = `count(${value})`;
    if (call.type.kind === 'NUMERIC')
      return {
        parts: [...partsOfNumerics(call), count],
        joined: sums,
        merged: ([below, high, n]) =>
          averageNumeric.call([`sum(${below})`, `sum(${high})`, `CAST(sum(${n}) AS BIGINT)`]),
      };
    return {
      parts: [`sum(${value})`, count],
      joined: sums,
      merged: ([total, n]) => averageOfIntegers(`sum(${total})`, `sum(${n})`),
    };
  },
};

/** Sketches of parts are merged. */
const listed = (sketch: string) => `list(${sketch}) FILTER (WHERE ${sketch} IS NOT NULL)`;
const sketchOf = (sketch: string) => hllMergePartial.call([listed(sketch)]);

const hllAggregate = (name: string) => (call: AggregateCall) =>
  (hllAggregates[`hll_count.${name}`] as AggregateEntry)(call);

function sketch(of: (call: AggregateCall) => string, merged: (sketch: string) => string): Mergeable {
  return {
    isExact: () => true,
    of: (call) => ({
      parts: [of(call)],
      joined: ([part = '']) => [sketchOf(part)],
      merged: ([part = '']) => merged(part),
    }),
  };
}

/** Aggregates, by their names in the allow-list, that can be made from parts of the rows, and are exactly those of all rows. */
export const mergeableAggregates: Readonly<Record<string, Mergeable>> = {
  $count_star: counted(() => 'count(*)'),
  count: counted((call) => `count(${call.sql(0)})`),
  countif: counted((call) => `count(*) FILTER (WHERE ${call.sql(0)})`),
  sum,
  avg: average,
  min: again('min'),
  max: again('max'),
  logical_or: again('bool_or'),
  logical_and: again('bool_and'),
  bit_and: again('bit_and'),
  bit_or: again('bit_or'),
  bit_xor: again('bit_xor'),
  'hll_count.init': sketch(hllAggregate('init'), sketchOf),
  'hll_count.merge_partial': sketch(hllAggregate('merge_partial'), sketchOf),
  'hll_count.merge': sketch(
    hllAggregate('merge_partial'),
    (part) => `coalesce(${hllMerge.call([listed(part)])}, 0)`,
  ),
};
