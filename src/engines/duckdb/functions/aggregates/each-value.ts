import type { AggregateCall } from '../call/aggregate-call.ts';

/** An aggregate of DuckDB over an expression of the call's value. */
type OfEachValue = (aggregate: string, expression: (value: string) => string) => string;

/**
 * Aggregates expressions of the call's only argument. With DISTINCT, the values are made distinct, and not the
 * expressions, which can be equal for different values.
 */
export function ofEachValue(call: AggregateCall): OfEachValue {
  const value = call.sql(0);
  if (call.distinct === '') return (name, expression) => `${name}(${expression(value)})${call.over}`;
  const values = `list(DISTINCT ${value}) FILTER (WHERE ${value} IS NOT NULL)${call.over}`;
  return (name, expression) =>
    `list_aggregate(list_transform(${values}, lambda each: ${expression('each')}), '${name}')`;
}
