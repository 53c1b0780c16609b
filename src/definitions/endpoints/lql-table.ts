import type { LqlTable } from '../../sql/lql/compile/compile-lql.ts';
import type { EndpointTable } from './endpoint.ts';

/** A table of an endpoint as queries in LQL see it. */
export function lqlTable({ name, plan, time }: EndpointTable): LqlTable {
  return { name, columns: plan.columns, ...(time !== undefined && { time }) };
}
