import type { SqlType } from '../../../../sql/values/type.ts';
import { numericToString } from '../../macros/numbers.ts';
import { bignumericFunctions } from '../../udf/decimals/decimal-functions.ts';
import { greatestPrecision, leastPrecision } from '../../udf/hll/encoding.ts';
import { hllExtract, hllHashes, hllInit, hllMerge, hllMergePartial } from '../../udf/hll/hll-functions.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { type AggregateEntries, type FunctionEntries, guarded } from '../call/entry.ts';

const defaultPrecision = 15n;

/** The number of a value's type in sketches. ZetaSketch defines none for decimals: these are the gateway's own. */
const valueTypes: Readonly<Partial<Record<SqlType['kind'], number>>> = {
  INT64: 8,
  STRING: 11,
  BYTES: 11,
  NUMERIC: 1_000_001,
  BIGNUMERIC: 1_000_002,
};

function hashOf(value: string, { kind }: SqlType): string {
  switch (kind) {
    case 'INT64':
    case 'BYTES':
      return hllHashes[kind].call([value]);
    case 'NUMERIC':
      return hllHashes.STRING.call([numericToString.call([value])]);
    case 'BIGNUMERIC':
      return hllHashes.STRING.call([bignumericFunctions.toText.call([value])]);
    default:
      return hllHashes.STRING.call([value]);
  }
}

function init(call: AggregateCall): string {
  const { sql: value, type } = call.arg(0);
  const number = valueTypes[type.kind];
  if (number === undefined) throw call.refusal(type.kind);
  const precision = call.optional(1) === undefined ? defaultPrecision : call.constant(1, 'precision');
  if (typeof precision !== 'bigint' || precision < leastPrecision || precision > greatestPrecision)
    throw call.refusal(`the precision ${precision}`);
  const isValue = ` FILTER (WHERE ${value} IS NOT NULL)`;
  const hashes = `list(DISTINCT ${hashOf(value, type)})${isValue}${call.over}`;
  const count = `count(${value})${call.over}`;
  return `CASE WHEN ${count} > 0 THEN ${hllInit.call([hashes, count, String(precision), String(number)])} END`;
}

function sketches(call: AggregateCall): string {
  const value = call.sql(0);
  return `list(${value}) FILTER (WHERE ${value} IS NOT NULL)${call.over}`;
}

export const hllAggregates: AggregateEntries = {
  'hll_count.init': init,
  'hll_count.merge': (call) => `coalesce(${hllMerge.call([sketches(call)], call.safe)}, 0)`,
  'hll_count.merge_partial': (call) => hllMergePartial.call([sketches(call)], call.safe),
};

export const hllFunctions: FunctionEntries = {
  'hll_count.extract': guarded((call) => {
    const sketch = call.sql(0);
    return `CASE WHEN ${sketch} IS NULL THEN 0::BIGINT ELSE ${hllExtract.call([sketch], call.safe)} END`;
  }),
};
