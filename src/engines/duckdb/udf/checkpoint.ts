import {
  BIGINT,
  BOOLEAN,
  DuckDBBooleanVector,
  type DuckDBConnection,
  DuckDBScalarFunction,
} from '@duckdb/node-api';
import { isOver } from '../running-queries.ts';
import { bindConnection, callingQuery } from './calling-query.ts';
import { hasEnded } from './failure.ts';
import type { FunctionContext } from './js-function.ts';
import { raisedText } from './raised-text.ts';

const name = 'gateway_checkpoint';

/** A function that is always true, unless its query must end: then it fails. DuckDB calls it once for all rows of a vector. */
export const checkpoint = {
  register(connection: DuckDBConnection, { limit, queries }: FunctionContext): void {
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        parameterTypes: [BIGINT],
        returnType: BOOLEAN,
        bindFunction: bindConnection,
        mainFunction: (info, input, output) => {
          const query = callingQuery(info, queries);
          if (query !== undefined && isOver(query, limit.tick())) {
            info.setError(raisedText(hasEnded()));
            return;
          }
          if (!(output instanceof DuckDBBooleanVector)) throw new TypeError('another vector than declared');
          const { rowCount } = input;
          for (let row = 0; row < rowCount; row++) output.setItem(row, true);
          output.flush();
        },
      }),
    );
  },
};

/**
 * A condition that is true, unless the query must end.
 *
 * @param varying SQL of type BIGINT that is not constant, so that DuckDB doesn't decide beforehand
 */
export function checkpointOf(varying: string): string {
  return `${name}(${varying})`;
}

/** An expression that is computed unless the query must end: see {@link checkpointOf}. */
export function atCheckpoint(varying: string, sql: string): string {
  return `CASE WHEN ${checkpointOf(varying)} THEN ${sql} END`;
}
