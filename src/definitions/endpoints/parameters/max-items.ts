import type { EndpointParameter } from './endpoint-parameter.ts';

/** The maximum number of elements of an array whose settings have none. */
export const defaultMaxItems = 1_000;

/** The highest allowed maximum. Values become part of the query's text on the embedded engine. */
export const highestMaxItems = 10_000;

/** The maximum number of elements of a parameter's array. */
export function maxItemsOf({ maxItems }: Pick<EndpointParameter, 'maxItems'>): number {
  return maxItems ?? defaultMaxItems;
}
