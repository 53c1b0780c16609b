import { collationKey } from '../../macros/collation.ts';
import type { AggregateEntry } from '../entry.ts';
import type { AggregateCall } from './aggregate-call.ts';

/** The first of the texts with the greatest or least key. DISTINCT makes no difference. */
const extreme =
  (name: 'arg_max' | 'arg_min'): AggregateEntry =>
  (call) => {
    const value = call.sql(0);
    return `${name}(${call.distinct}${value}, ${collationKey.call([value])})${call.over}`;
  };

/** Aggregates of texts that are compared without regard to letter case. */
const entries: Readonly<Record<string, AggregateEntry>> = {
  count: (call) => {
    const count = `count(${call.distinct}${collationKey.call([call.sql(0)])})${call.over}`;
    // DuckDB counts a negative number of rows in a frame that ends before it begins.
    return call.over === '' ? count : `greatest(${count}, 0)`;
  },
  max: extreme('arg_max'),
  min: extreme('arg_min'),
};

/** @param key the function's name in the allow-list */
export function collatedEntry(key: string, call: AggregateCall): AggregateEntry {
  const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
  if (entry === undefined) throw call.refusal('a collation');
  return entry;
}
