import type { DuckDBScalarFunctionBindInfo, DuckDBScalarFunctionInfo } from '@duckdb/node-api';
import { TransientRefusal } from '../../../../sql/values/function-errors.ts';
import { isOver, type RunningQueries, type RunningQuery } from '../../guard/running-queries.ts';

/** Data bound to a call in a query. */
interface Bound {
  readonly connectionId: number;
}

/** The `bindFunction` of functions that ask for {@link callingQuery}. */
export function bindConnection(info: DuckDBScalarFunctionBindInfo): void {
  info.setBindData({ connectionId: info.clientContext.connectionId } satisfies Bound);
}

/** The query that calls a function. Undefined for a connection outside of the pool. */
export function callingQuery(
  info: DuckDBScalarFunctionInfo,
  queries: Pick<RunningQueries, 'on'> | undefined,
): RunningQuery | undefined {
  return queries?.on((info.bindData as Bound).connectionId);
}

/** @throws TransientRefusal if the query must end. Its caller gets the reason. */
export function requireRunning(query: RunningQuery | undefined, now: number): void {
  if (query !== undefined && isOver(query, now)) throw new TransientRefusal('The query has been ended');
}
