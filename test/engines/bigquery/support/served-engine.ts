import { randomUUID } from 'node:crypto';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { type Clock, systemClock } from '../../../../src/base/system/clock.ts';
import { loadSources } from '../../../../src/definitions/sources/load-sources.ts';
import { createBigQueryApi } from '../../../../src/engines/bigquery/api/create-api.ts';
import { BigQueryEngine, type SlicesOptions } from '../../../../src/engines/bigquery/bigquery-engine.ts';
import type { BigQuerySettings } from '../../../../src/engines/bigquery/jobs/settings.ts';
import { JobTexts, type RunTexts } from '../../../../src/engines/bigquery/sql/job-text.ts';
import { prepareText } from '../../../../src/engines/bigquery/sql/prepare-text.ts';
import { tableNames } from '../../../../src/engines/bigquery/text/table-names.ts';
import type { EngineRequest } from '../../../../src/engines/engine/engine.ts';
import { newPlan, type Plan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { wholeText } from '../../../../src/sql/text/place.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { BigQueryServer } from '../../../../src/tools/emulators/bigquery/start-server.ts';
import { dataset, type ServedRows } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { deployment, job } from './job-setup.ts';

interface ServedOptions {
  readonly clock?: Clock;
  readonly isBounded?: boolean;
  readonly slices?: SlicesOptions;
}

/** The engine as it is put together for a server, over HTTP, without pauses between attempts. */
export function servedEngine(
  { analyzer }: Pick<ServedRows, 'analyzer'>,
  server: Pick<BigQueryServer, 'url'>,
  settings: Partial<BigQuerySettings> = {},
  { clock = systemClock, isBounded = true, slices }: ServedOptions = {},
) {
  const warnings: string[] = [];
  const log = {
    info() {},
    error() {},
    warn: (message: string, fields: object = {}) =>
      void warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  const { projectId: project, datasetId } = dataset;
  const names = tableNames({ project, dataset: datasetId, tables: new Map() });
  const api = createBigQueryApi({
    project,
    emulatorHost: server.url,
    isMetadataServerGiven: false,
    clock: systemClock,
    random: () => 0,
    log,
  });
  const texts = new JobTexts((plan) => prepareText(plan, analyzer, names));
  const engine = new BigQueryEngine({
    api,
    project,
    texts: isBounded ? texts : new PlainTexts((plan) => prepareText(plan, analyzer, names)),
    settings: { ...deployment, ...settings },
    clock,
    log,
    newId: randomUUID,
    ...(slices && { slices }),
  });
  return {
    engine,
    warnings,
    async [Symbol.asyncDispose]() {
      await engine.close();
      api.close();
    },
  };
}

/** Runs each query as it is written. */
class PlainTexts extends JobTexts {
  override async runs(...run: Parameters<JobTexts['runs']>): Promise<RunTexts> {
    const { plain, unbounded } = await super.runs(...run);
    return { plain, unbounded, bounded: undefined, newest: undefined, sliced: [] };
  }
}

/** Plans a query over the sources that are served. */
export async function planned(
  { analyzer, sourcesDir }: Pick<ServedRows, 'analyzer' | 'sourcesDir'>,
  sql: string,
  parameters: ReadonlyMap<string, SqlType> = new Map(),
): Promise<Plan> {
  const { sources } = await loadSources(sourcesDir);
  const catalog = sourceCatalog(sources);
  const statement = await analyzer.analyze(sql, { catalog, parameters });
  return newPlan({
    isCallers: false,
    sql,
    statement,
    columns: resultColumns(statement),
    parameters,
    origin: wholeText,
  });
}

export function requestOf(plan: Plan, more: Partial<EngineRequest> = {}): EngineRequest {
  return {
    plan,
    parameters: new Map(),
    maxRows: 100,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    job,
    ...more,
  };
}
