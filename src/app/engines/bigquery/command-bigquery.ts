import { systemClock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Planner } from '../../../calls/planner/planner.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import type { BigQueryEngine } from '../../../engines/bigquery/bigquery-engine.ts';
import { beginOf, widths } from '../../../engines/bigquery/newest/windows.ts';
import { JobTexts } from '../../../engines/bigquery/sql/job-text.ts';
import { prepareTextOverRows } from '../../../engines/bigquery/sql/prepare-text.ts';
import { resultDrift } from '../../../engines/bigquery/values/result-drift.ts';
import type { EngineRequest } from '../../../engines/engine/engine.ts';
import type { ConnectedEngine, DryRun, ExplainedCall } from '../engine/engine-definition.ts';
import { type BigQueryConnection, connectBigQuery, tableMapping } from './bigquery-connection.ts';
import { bigQueryEngine } from './open-bigquery.ts';
import { slicedSource } from './sliced-source.ts';

/** BigQuery as the engine of a command. */
export interface CommandBigQuery extends ConnectedEngine {
  readonly engine: BigQueryEngine;
  readonly connection: BigQueryConnection;
  dryRun(request: EngineRequest): Promise<DryRun>;
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
    async dryRun(request) {
      const { bytesProcessed, fields } = await engine.dryRun(request);
      const drift = fields === undefined ? [] : resultDrift(request.plan.columns, fields);
      return { bytesProcessed, drift: drift.map((text) => `on BigQuery, ${text}`) };
    },
    // An engine remembers the texts of plans, so that other rows need another engine.
    overRows: (analyzer, rows) =>
      bigQueryEngine(config, connection, {
        planner: { prepareText: (plan) => prepareTextOverRows(plan, analyzer, rows) },
        log,
      }),
    async [Symbol.asyncDispose]() {
      await engine.close();
      connection.api.close();
    },
  };
}

/**
 * The texts that BigQuery runs for a request, one after the other.
 *
 * @throws ConfigError if settings are missing
 */
export async function sentSql({
  config,
  planner,
  sources,
  request: { plan, parameters, maxRows },
}: ExplainedCall): Promise<readonly string[]> {
  const mapping = tableMapping(config);
  const texts = new JobTexts((each) => planner.prepareText(each, mapping));
  const now = BigInt(systemClock.now()) * 1000n;
  const { plain, bounded, newest, sliced } = await texts.runs(plan, parameters, maxRows, now);
  const { sql } = bounded ?? plain;
  for (const text of sliced) {
    const source = slicedSource(sources.find(({ name }) => name === text.source));
    const days =
      source?.column === text.column && text.days(now, now - BigInt(source.lateSeconds) * 1_000_000n);
    if (!days) continue;
    const merging = text.merging(days, []).sql;
    return [`-- If that reads less, parts of finished days are kept, and merged\n${merging}`, sql];
  }
  if (newest === undefined) return [sql];
  const first = newest.textFrom(beginOf(newest.upper ?? now, widths[0] ?? 1)).sql;
  return [`-- If few days are a small part of the rows, those of the last days come first\n${first}`, sql];
}
