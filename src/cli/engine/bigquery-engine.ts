import { type BigQueryConnection, connectBigQuery } from '../../app/engine/bigquery-connection.ts';
import { bigQueryEngine } from '../../app/engine/open-bigquery.ts';
import type { Log } from '../../base/log/log.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { BigQueryEngine } from '../../engines/bigquery/bigquery-engine.ts';

/** BigQuery as the engine of a command. Disposing it ends its requests. */
export interface CommandBigQuery extends AsyncDisposable {
  readonly engine: BigQueryEngine;
  readonly connection: BigQueryConnection;
}

/**
 * Connects to BigQuery, for commands that ask it.
 *
 * @throws ConfigError if settings are missing
 */
export async function openCommandBigQuery(
  config: Config,
  planner: Pick<Planner, 'prepareText'>,
  log: Log,
): Promise<CommandBigQuery> {
  const connection = await connectBigQuery(config, log);
  const engine = bigQueryEngine(config, connection, { planner, log });
  return {
    engine,
    connection,
    async [Symbol.asyncDispose]() {
      await engine.close();
      connection.api.close();
    },
  };
}
