import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { withoutUndefined } from '../../endpoints/without-undefined.ts';
import { type ApiMeter, noApiMeter } from '../../engines/bigquery/api/api-meter.ts';
import { BigQueryEngine } from '../../engines/bigquery/bigquery-engine.ts';
import type { BigQuerySettings } from '../../engines/bigquery/settings.ts';
import { JobTexts } from '../../engines/bigquery/sql/job-text.ts';
import { cleanLabels } from '../../engines/labels.ts';
import type { Log } from '../../log.ts';
import type { Planner } from '../../planner/planner.ts';
import { type BigQueryConnection, connectBigQuery } from './bigquery-connection.ts';
import type { OpenedEngine } from './opened-engine.ts';
import { startReaching } from './reach.ts';

interface BigQueryParts {
  /** Reads the queries that are sent; nothing is done with it while the engine is opened. */
  readonly planner: Pick<Planner, 'prepareText'>;
  readonly log: Log;
  readonly meter?: ApiMeter | undefined;
}

/** How long the start waits, in milliseconds, for BigQuery to answer once. */
const startPatience = 2_000;

/** BigQuery as an engine, over an open connection. */
export function bigQueryEngine(
  config: Config,
  { api, project, mapping }: BigQueryConnection,
  { planner, log }: Pick<BigQueryParts, 'planner' | 'log'>,
): BigQueryEngine {
  const texts = new JobTexts((plan, signal) => planner.prepareText(plan, mapping, signal));
  return new BigQueryEngine({ api, project, texts, settings: jobSettings(config), clock: systemClock, log });
}

/**
 * Makes BigQuery ready as an engine. It needn't be reachable: whether it is goes to the log and to `/readyz`.
 *
 * @throws ConfigError
 */
export async function openBigQuery(config: Config, parts: BigQueryParts): Promise<OpenedEngine> {
  const { log, meter = noApiMeter } = parts;
  let isDown = false;
  const connection = await connectBigQuery(config, log, {
    attempt: (outcome) => meter.attempt(outcome),
    retry: () => meter.retry(),
    refused: () => meter.refused(),
    breaker: (isOpen) => {
      isDown = isOpen;
      meter.breaker(isOpen);
    },
  });
  const { api, project } = connection;
  const engine = bigQueryEngine(config, connection, parts);
  const reach = startReaching({ api, project, location: config.bigqueryLocation, clock: systemClock, log });
  await reach.firstTry(startPatience);
  return {
    engine,
    health: () => ({ bigquery: isDown ? 'down' : reach.isReached ? 'reached' : 'not reached' }),
    async close() {
      reach.close();
      await engine.close();
      api.close();
    },
  };
}

function jobSettings(config: Config): BigQuerySettings {
  return {
    ...withoutUndefined({
      location: config.bigqueryLocation,
      maxBytesBilled: config.bigqueryMaxBytesBilled,
      jobTimeoutMs: config.bigqueryJobTimeoutMs,
    }),
    priority: config.bigqueryPriority,
    queryCache: config.bigqueryQueryCache,
    jobCreation: config.bigqueryJobCreation,
    labels: cleanLabels(config.bigqueryLabels),
  };
}
