import type { Job } from '../../../../src/definitions/jobs/job.ts';
import { Cancels } from '../../../../src/engines/bigquery/jobs/cancels.ts';
import type { JobTools, QueryToRun } from '../../../../src/engines/bigquery/jobs/job-tools.ts';
import { Jobs } from '../../../../src/engines/bigquery/jobs/jobs.ts';
import { runQuery } from '../../../../src/engines/bigquery/jobs/run-query.ts';
import { type BigQuerySettings, effectiveSettings } from '../../../../src/engines/bigquery/jobs/settings.ts';
import type { Row } from '../../../../src/sql/values/value.ts';
import { ManualClock } from '../../../calls/executor/support/manual-clock.ts';
import { type Method, type Reply, ScriptedApi, type SeenCall } from './scripted-api.ts';

export const deployment: BigQuerySettings = {
  priority: 'interactive',
  queryCache: true,
  jobCreation: 'required',
  labels: new Map(),
};

export const job: Job = {
  endpoint: { id: '5e0f1a52-8c1d-4a55-b3f7-0c9c1f3c6d84', name: 'usage.api-counts' },
  labels: new Map(),
};

/** A job as jobs.insert answers it, in the location EU. */
export const made: Reply = ({ body }) => ({
  jobReference: { location: 'EU', ...body.jobReference },
  status: { state: 'RUNNING' },
});

/** A page of one column of texts. */
export const page =
  (texts: readonly string[], more: object = {}): Reply =>
  () => ({
    jobComplete: true,
    schema: { fields: [{ name: 'x', type: 'STRING', mode: 'NULLABLE' }] },
    rows: texts.map((v) => ({ f: [{ v }] })),
    totalRows: String(texts.length),
    ...more,
  });

export const incomplete: Reply = () => ({ jobComplete: false });

export const never: Reply = () => new Promise(() => {});

export const costs: Reply = ({ path }) => ({
  jobReference: { projectId: 'p', jobId: path.split('/').at(-1) },
  status: { state: 'DONE' },
  statistics: {
    totalSlotMs: '70',
    query: { totalBytesProcessed: '1000', totalBytesBilled: '10485760', cacheHit: false },
  },
});

/** A job that has failed, for jobs.get. */
export const failedJob =
  (reason: string, message = reason): Reply =>
  ({ path }) => ({
    jobReference: { projectId: 'p', jobId: path.split('/').at(-1) },
    status: { state: 'DONE', errorResult: { reason, message } },
  });

export const jobIdOf = (call: SeenCall | undefined): string | undefined =>
  /\/(?:jobs|queries)\/([^/]+)/.exec(call?.path ?? '')?.[1];

/** Runs one query of one column against a script. */
export function setup(
  script: Partial<Record<Method, readonly Reply[]>>,
  {
    settings = deployment,
    maxRows = 10,
    timeoutMs = 25_000,
    job: asked = job,
  }: {
    readonly settings?: BigQuerySettings;
    readonly maxRows?: number;
    readonly timeoutMs?: number;
    readonly job?: Job;
  } = {},
) {
  const api = new ScriptedApi({ cancel: [() => ({})], get: [costs], ...script });
  const clock = new ManualClock();
  const warnings: string[] = [];
  const log = { info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
  const jobs = new Jobs({ api, clock, project: 'p' });
  let ids = 0;
  const newId = () => {
    ids += 1;
    return String(ids);
  };
  const cancels = new Cancels({ jobs, clock, log });
  const tools: JobTools = { jobs, cancels, api, clock, newId, project: 'p' };
  const controller = new AbortController();
  const deadline = clock.elapsed() + timeoutMs;
  const todo: QueryToRun = {
    query: { sql: 'SELECT x', parameters: [], settings: effectiveSettings(settings, asked) },
    maxRows,
    limits: { signal: controller.signal, deadline },
    jobTimeoutMs: () => Math.min(asked.jobTimeoutMs ?? Number.POSITIVE_INFINITY, deadline - clock.elapsed()),
  };
  const decode = (row: unknown): Row => [(row as { f: readonly [{ v: string }] }).f[0].v];
  return {
    api,
    clock,
    cancels,
    warnings,
    leave: (reason = new Error('left')) => controller.abort(reason),
    async run() {
      const rows: Row[] = [];
      const end = await runQuery(
        tools,
        todo,
        () => decode,
        (more) => void rows.push(...more),
      );
      return { rows, ...end };
    },
  };
}
