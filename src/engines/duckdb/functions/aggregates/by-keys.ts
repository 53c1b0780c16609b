import type { AggregateCall } from '../call/aggregate-call.ts';
import type { AggregateEntry } from '../call/entry.ts';
import { comparisonKey, needsKey } from '../comparison/comparison-key.ts';

/** An aggregate that compares its argument's values by their keys. */
type ByKeys = (call: AggregateCall, key: string) => string;

/** The first of the values with the greatest or least key. DISTINCT makes no difference. */
const extreme =
  (name: 'arg_max' | 'arg_min'): ByKeys =>
  (call, key) =>
    `${name}(${call.distinct}${call.sql(0)}, ${key})${call.over}`;

const count: ByKeys = (call, key) => {
  const counted = `count(${call.distinct}${key})${call.over}`;
  // DuckDB counts a negative number of rows in a frame that ends before it begins.
  return call.over === '' ? counted : `greatest(${counted}, 0)`;
};

const entries: Readonly<Record<string, ByKeys>> = {
  count,
  max: extreme('arg_max'),
  min: extreme('arg_min'),
};

/**
 * The entry for a call that compares its argument's values by keys. Undefined for other calls.
 *
 * @param name the function's name in the allow-list
 * @param collated whether texts are compared without regard to letter case
 */
export function entryByKeys(
  name: string,
  call: AggregateCall,
  collated: boolean,
): AggregateEntry | undefined {
  const argument = call.optional(0);
  if (argument === undefined || !needsKey(argument.type, collated)) return undefined;
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (entry !== undefined) return () => entry(call, comparisonKey(argument.sql, argument.type, collated));
  if (collated) throw call.refusal('a collation');
  if (call.distinct !== '') throw call.refusal('DISTINCT with INTERVAL');
  return undefined;
}
