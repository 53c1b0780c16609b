import { GatewayError } from '../../../base/errors/errors.ts';
import { bytesOf } from '../../../base/forms/bytes.ts';
import { systemClock } from '../../../base/system/clock.ts';
import { withoutUndefined } from '../../../definitions/endpoints/without-undefined.ts';
import { cleanLabels } from '../../../definitions/jobs/labels.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import { timeLimits } from '../../../definitions/settings/ingest-settings.ts';
import { timeColumn } from '../../../definitions/sources/row-key.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { noApiMeter } from '../../../engines/bigquery/api/api-meter.ts';
import { BigQueryEngine } from '../../../engines/bigquery/bigquery-engine.ts';
import { BigQueryInserter } from '../../../engines/bigquery/insert/bigquery-inserter.ts';
import type { BigQuerySettings } from '../../../engines/bigquery/jobs/settings.ts';
import { JobTexts } from '../../../engines/bigquery/sql/job-text.ts';
import { defaultEventLimits } from '../../../rows/ingest/events/event-request.ts';
import { insertEvents } from '../../../rows/ingest/insert-all/insert-events.ts';
import { EventThreads } from '../../../rows/ingest/threads/event-threads.ts';
import type { EngineParts } from '../engine/engine-definition.ts';
import type { OpenedEngine } from '../engine/opened-engine.ts';
import { type BigQueryConnection, connectBigQuery } from './bigquery-connection.ts';
import { startReaching } from './reach.ts';
import { slicedSource } from './sliced-source.ts';

/** How long the start waits for a first answer of BigQuery, in milliseconds. */
const startTimeoutMs = 2_000;

/** Returns BigQuery as an engine, over an open connection. */
export function bigQueryEngine(
  config: Config,
  { api, project, mapping }: BigQueryConnection,
  { planner, log }: Pick<EngineParts, 'planner' | 'log'>,
  find: (source: string) => Source | undefined = () => undefined,
): BigQueryEngine {
  const texts = new JobTexts((plan, signal) => planner.prepareText(plan, mapping, signal));
  const slices = {
    sourceOf: (source: string) => slicedSource(find(source)),
    maxBytes: bytesOf(config.slicesMemory) ?? 0,
  };
  const requiredTimeOf = (wanted: string) => {
    const source = find(wanted);
    return source?.requireTimeBound ? timeColumn(source)?.name : undefined;
  };
  const settings = jobSettings(config);
  return new BigQueryEngine({
    ...{ api, project, texts, settings, clock: systemClock, log, slices, requiredTimeOf },
  });
}

/**
 * Opens BigQuery as an engine. It need not be reachable: its state is logged and shown at `/readyz`.
 *
 * @throws ConfigError
 */
export async function openBigQuery(config: Config, parts: EngineParts): Promise<OpenedEngine> {
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
  const { api, project, names } = connection;
  let { sources } = parts;
  const engine = bigQueryEngine(config, connection, parts, (wanted) =>
    sources.find(({ name }) => name === wanted),
  );
  const inserter = new BigQueryInserter({ api, names, clock: systemClock, log });
  const reach = startReaching({ api, project, location: config.bigqueryLocation, clock: systemClock, log });
  await reach.firstTry(startTimeoutMs);
  const threads = new EventThreads({
    isLowered: true,
    limits: { ...defaultEventLimits, times: timeLimits(config) },
  });
  const addEvents = insertEvents({
    inserter,
    sources: () => sources,
    parse: (...body) => threads.parse(...body),
    timeoutMs: config.requestTimeoutMs,
  });
  return {
    engine,
    rows: {
      addEvents,
      async receive() {
        throw new GatewayError('NOT_FOUND', 'This gateway reads rows from BigQuery. Add rows there.');
      },
    },
    async useSources(next) {
      sources = next;
    },
    health: () => ({ bigquery: isDown ? 'down' : reach.isReached ? 'reached' : 'not reached' }),
    async close() {
      reach.close();
      inserter.close();
      await threads.close();
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
