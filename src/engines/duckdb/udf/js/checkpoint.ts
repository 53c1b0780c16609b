import { BIGINT, BOOLEAN, type DuckDBConnection } from '@duckdb/node-api';
import { callingQuery, requireRunning } from './calling-query.ts';
import { fallibleCall, registerFallible } from './fallible-function.ts';
import type { FunctionContext } from './js-function.ts';

const name = 'gateway_checkpoint';

/** A function that is always true, unless its query must end: then it fails. DuckDB calls it once for all rows of a vector. */
export const checkpoint = {
  register(connection: DuckDBConnection, { limit, queries }: FunctionContext): void {
    registerFallible(connection, {
      ...{ name, parameterTypes: [BIGINT], resultType: BOOLEAN },
      fill: (info, { rowCount }, results) => {
        requireRunning(callingQuery(info, queries), limit.tick());
        for (let row = 0; row < rowCount; row++) results.setItem(row, true);
      },
    });
  },
};

/**
 * A condition that is true, unless the query must end.
 *
 * @param varying SQL of type BIGINT that is not constant, so that DuckDB doesn't decide beforehand
 */
export function checkpointOf(varying: string): string {
  return fallibleCall(name, [varying]);
}

/** An expression that is computed unless the query must end: see {@link checkpointOf}. */
export function atCheckpoint(varying: string, sql: string): string {
  return `CASE WHEN ${checkpointOf(varying)} THEN ${sql} END`;
}
