import type { DuckDBScalarFunctionBindInfo, DuckDBScalarFunctionInfo } from '@duckdb/node-api';
import type { RunningQueries, RunningQuery } from '../../guard/running-queries.ts';

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
