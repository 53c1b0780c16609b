import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { BigQueryEngine } from '../../../src/engines/bigquery/bigquery-engine.ts';
import type { BigQuerySettings } from '../../../src/engines/bigquery/jobs/settings.ts';
import { JobTexts } from '../../../src/engines/bigquery/sql/job-text.ts';
import type { EngineRequest } from '../../../src/engines/engine/engine.ts';
import type { Plan } from '../../../src/sql/plan/plan.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import type { FaultInput } from '../../../src/tools/emulators/bigquery/faults/faults.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';
import { plainResult } from '../../calls/executor/support/result.ts';
import { dataset, type ServedRows, serveRows } from '../../tools/emulators/bigquery/support/served-rows.ts';
import { deployment, job } from './support/job-setup.ts';
import { ScriptedApi } from './support/scripted-api.ts';
import { planned, requestOf, servedEngine } from './support/served-engine.ts';

let rows: ServedRows;
let plan: Plan;
let slow: Plan;

beforeAll(async () => {
  const edge = [1, 2, 3, 4, 5].map((n) => ({
    id: `id${n}`,
    timestamp: '2026-11-20T05:00:00.123456Z',
    n,
    text: `text ${n}`,
  }));
  const columns = [
    { name: 'n', type: 'INTEGER' },
    { name: 'text', type: 'STRING' },
  ];
  rows = await serveRows({ edge: { columns, rows: edge } });
  plan = await planned(rows, 'SELECT id, timestamp, n, text FROM logs.edge ORDER BY n');
  slow = await planned(rows, 'SELECT n FROM logs.edge');
});

afterAll(async () => {
  await rows?.[Symbol.asyncDispose]();
});

afterEach(() => rows.server.clearFaults());

/** Runs a plan on the server; gives the outcome and the requests that it took, as `insert`, `results`, … */
async function run(
  request: Partial<EngineRequest> = {},
  {
    settings = {},
    faults = [],
  }: { settings?: Partial<BigQuerySettings>; faults?: readonly FaultInput[] } = {},
) {
  const { server } = rows;
  for (const fault of faults) server.fail(fault);
  const before = server.requests.length;
  await using served = servedEngine(rows, server, settings);
  const outcome = await served.engine.run(requestOf(plan, request)).then(
    async (result) => ({ result: await plainResult(result), error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  );
  // Cancels go on in the background; closing waits for them.
  server.clearFaults();
  await served.engine.close();
  // The breaker's probes come when they like.
  const requests = server.requests.slice(before).filter(({ body }) => !body.includes('dryRun'));
  return { ...outcome, requests, methods: requests.map(methodOf), warnings: served.warnings };
}

const methodOf = ({ method, path }: { method: string; path: string }): string => {
  if (path.endsWith('/cancel')) return 'cancel';
  if (method === 'POST') return path.endsWith('/queries') ? 'query' : 'insert';
  return path.includes('/queries/') ? 'results' : 'get';
};

const newestJob = () => {
  const [newest] = rows.server.jobs;
  if (newest === undefined) throw new Error('no job');
  return newest;
};

describe('a query', () => {
  test('has the rows that the embedded engine has, and a cost', async () => {
    const { result, error, methods, requests } = await run();
    expect(error).toBeUndefined();
    const expected = await plainResult(await rows.engine.run(requestOf(plan)));
    expect(result?.rows).toEqual(expected.rows);
    expect(result).toMatchObject({ columns: plan.columns, truncated: false });
    expect(result?.cost?.bytesBilled).toBeGreaterThan(0);
    expect(methods).toEqual(['insert', 'results', 'get']);
    expect(JSON.parse(requests[0]?.body ?? '').configuration.labels).toEqual({
      managed_by: 'endpoint-gateway',
      endpoint: 'usage_api-counts',
      endpoint_id: job.endpoint.id,
    });
  });

  test('is cut by BigQuery itself, one row later than wanted', async () => {
    const { result } = await run({ maxRows: 2 });
    expect(result).toMatchObject({ rows: { length: 2 }, truncated: true });
    expect(newestJob().result?.rows).toHaveLength(3);
    expect((await run({ maxRows: 5 })).result).toMatchObject({ rows: { length: 5 }, truncated: false });
  });

  test('is followed through pages that BigQuery cuts, empty ones included', async () => {
    const faults: FaultInput[] = [
      { path: '/queries/', emptyPage: true },
      { path: '/queries/', rowsPerPage: 2, times: 0 },
    ];
    const { result, methods } = await run({}, { faults });
    expect(result?.rows).toHaveLength(5);
    expect(methods.filter((method) => method === 'results').length).toBeGreaterThan(2);
  });

  test('may be answered without a job', async () => {
    const settings = { jobCreation: 'optional', queryCache: false } as const;
    const { result, methods } = await run({}, { settings });
    expect(result?.rows).toHaveLength(5);
    expect(methods).toEqual(['query']);
    expect(result?.cost?.bytesBilled).toBeGreaterThan(0);
    const long = await run({ plan: slow }, { settings, faults: [{ path: '/queries$', jobRunsMs: 2_500 }] });
    expect(long.result?.rows).toHaveLength(5);
    expect(long.methods).toEqual(['query', 'results', 'get']);
  });

  test('runs in the location of its tables, even if only BigQuery’s responses reveal it', async () => {
    const server = await rows.start({ location: 'europe-west4' });
    const lost: FaultInput = { method: 'POST', path: '/jobs$', reset: 'after' };
    for (const settings of [{ location: 'europe-west4' }, {}]) {
      await using served = servedEngine(rows, server, settings);
      expect((await served.engine.run(requestOf(plan))).rows.count).toBe(5);
      server.fail(lost);
      expect((await served.engine.run(requestOf(plan))).rows.count).toBe(5);
    }
    await using first = servedEngine(rows, server);
    server.fail(lost);
    expect((await first.engine.run(requestOf(plan))).rows.count).toBe(5);
  });

  test('takes parameters, of which the text uses only some', async () => {
    const int64 = { kind: 'INT64' } as const;
    const declared = new Map<string, SqlType>([
      ['Least', int64],
      ['unused', { kind: 'STRING' }],
      ['most', int64],
    ]);
    const sql = 'SELECT n FROM logs.edge WHERE n >= @least ORDER BY n LIMIT @most';
    const withParameters = await planned(rows, sql, declared);
    const parameters = new Map<string, Value>([
      ['Least', 2n],
      ['unused', null],
      ['most', 3n],
    ]);
    const { result } = await run({ plan: withParameters, parameters });
    expect(result).toMatchObject({ rows: [[2n], [3n], [4n]], truncated: false });
  });

  test('takes arrays, also empty ones', async () => {
    const int64s = { kind: 'ARRAY', element: { kind: 'INT64' } } as const;
    const sql = 'SELECT n FROM logs.edge WHERE n IN UNNEST(@ns) OR ARRAY_LENGTH(@ns) = 0 ORDER BY n';
    const withArray = await planned(rows, sql, new Map([['ns', int64s]]));
    const asked = async (ns: readonly bigint[]) =>
      (await run({ plan: withArray, parameters: new Map<string, Value>([['ns', ns]]) })).result?.rows;
    expect(await asked([2n, 4n, 2n, 99n])).toEqual([[2n], [4n]]);
    expect(await asked([])).toHaveLength(5);
  });

  test('is estimated without running', async () => {
    await using served = servedEngine(rows, rows.server, { maxBytesBilled: 1 });
    const jobs = rows.server.jobs.length;
    const { bytesProcessed } = await served.engine.estimate(requestOf(plan));
    expect(bytesProcessed).toBeGreaterThan(0);
    expect(rows.server.jobs).toHaveLength(jobs);
    const { fields } = await served.engine.dryRun(requestOf(plan));
    expect(fields?.map(({ name }) => name)).toEqual(['id', 'timestamp', 'n', 'text']);
    const refused = { reason: 'accessDenied', message: 'Access Denied: Table x:y.z' };
    const refusal = { code: 'BACKEND_UNAVAILABLE', message: expect.stringMatching(/allow the gateway/) };
    rows.server.fail({ status: { code: 403, ...refused } });
    await expect(served.engine.estimate(requestOf(plan))).rejects.toMatchObject(refusal);
    rows.server.fail({ set: { 'status.errorResult': refused } });
    await expect(served.engine.estimate(requestOf(plan))).rejects.toMatchObject(refusal);
    rows.server.fail({ set: { 'status.errorResult': refused }, remove: ['statistics'] });
    await expect(served.engine.estimate(requestOf(plan))).rejects.toMatchObject(refusal);
    rows.server.fail({ remove: ['statistics.totalBytesProcessed'] });
    const senseless = { code: 'BACKEND_UNAVAILABLE', message: expect.stringMatching(/invalid response/) };
    await expect(served.engine.estimate(requestOf(plan))).rejects.toMatchObject(senseless);
  });
});

describe('a fault that passes is survived:', () => {
  const insert = { method: 'POST', path: '/jobs$' } as const;
  const results = { path: '/queries/' } as const;
  test.each<[name: string, fault: FaultInput]>([
    ['insert is answered 503', { ...insert, status: { code: 503, reason: 'backendError' } }],
    ['insert is answered 500 by a proxy', { ...insert, status: { code: 500 }, times: 2 }],
    ['insert is limited by its rate', { ...insert, status: { code: 403, reason: 'rateLimitExceeded' } }],
    ['insert is reset before it is carried out', { ...insert, reset: 'before' }],
    ['insert is reset after it was carried out', { ...insert, reset: 'after' }],
    ['insert is cut', { ...insert, reset: 'cut' }],
    ['the job fails', { ...insert, jobError: { reason: 'backendError', message: 'x' }, times: 2 }],
    ['the job is limited', { ...insert, jobError: { reason: 'jobRateLimitExceeded', message: 'x' } }],
    ['the job fails on the backend', { ...insert, jobError: { reason: 'jobBackendError', message: 'x' } }],
    [
      'the job fails on the backend while it runs',
      { ...insert, jobRunsMs: 5, jobError: { reason: 'backendError', message: 'x' }, times: 2 },
    ],
    ['results are answered 502', { ...results, status: { code: 502 }, times: 2 }],
    ['results are answered 429', { ...results, status: { code: 429, reason: 'rateLimitExceeded' } }],
    ['results are reset', { ...results, reset: 'body' }],
    ['results are incomplete', { ...results, incomplete: true, times: 3 }],
    ['the cost is not told', { method: 'GET', path: '/jobs/', status: { code: 400 }, times: 0 }],
  ])('%s', async (_, fault) => {
    const { result, error } = await run({}, { faults: [fault] });
    expect(error).toBeUndefined();
    expect(result?.rows).toHaveLength(5);
  });

  test('a server that hangs once', async () => {
    const faults = [{ ...insert, hang: 'before' } as const];
    const { result } = await run({ timeoutMs: 2_000 }, { faults });
    expect(result?.rows).toHaveLength(5);
  });
});

describe('a permanent fault is reported:', () => {
  const jobs = { method: 'POST', path: '/jobs$' } as const;
  const results = { path: '/queries/', times: 0 } as const;
  const failing = (reason: string, message: string): FaultInput => ({
    ...jobs,
    jobError: { reason, message },
    times: 0,
  });
  test.each<[name: string, fault: FaultInput, code: string, message: RegExp]>([
    [
      '503',
      { ...jobs, status: { code: 503, reason: 'backendError' }, times: 0 },
      'BACKEND_UNAVAILABLE',
      /moment/,
    ],
    ['reset', { reset: 'before', times: 0 }, 'BACKEND_UNAVAILABLE', /could not be reached/],
    ['no JSON', { ...results, body: 'not json' }, 'BACKEND_UNAVAILABLE', /unreadable response/],
    ['no totalRows', { ...results, remove: ['totalRows'] }, 'BACKEND_UNAVAILABLE', /invalid response/],
    ['no jobComplete', { ...results, remove: ['jobComplete'] }, 'BACKEND_UNAVAILABLE', /unreadable response/],
    ['no schema', { ...results, remove: ['schema'] }, 'BACKEND_UNAVAILABLE', /invalid response/],
    ['no rows', { ...results, remove: ['rows'] }, 'BACKEND_UNAVAILABLE', /invalid response/],
    ['a missing cell', { ...results, remove: ['rows.0.f.1'] }, 'BACKEND_UNAVAILABLE', /invalid response/],
    [
      'another type',
      { ...results, set: { 'schema.fields.2.type': 'FLOAT' } },
      'BACKEND_UNAVAILABLE',
      /invalid response/,
    ],
    ['more rows', { ...results, set: { totalRows: '9' } }, 'BACKEND_UNAVAILABLE', /invalid response/],
    ['fewer rows', { ...results, set: { totalRows: '1' } }, 'BACKEND_UNAVAILABLE', /invalid response/],
    [
      'a token again',
      { ...results, rowsPerPage: 1, repeatToken: true },
      'BACKEND_UNAVAILABLE',
      /invalid response/,
    ],
    [
      'access',
      failing('accessDenied', 'Access Denied: Table x:y.z'),
      'BACKEND_UNAVAILABLE',
      /allow the gateway/,
    ],
    ['a quota', failing('quotaExceeded', 'Quota exceeded: x'), 'OVERLOADED', /quota/],
    ['resources', failing('resourcesExceeded', 'Too much memory'), 'QUERY_FAILED', /Too much memory/],
    [
      'time',
      failing('stopped', 'Job execution was cancelled: Job timed out'),
      'QUERY_TIMEOUT',
      /exceeded its time limit/,
    ],
  ])('%s', async (_, fault, code, message) => {
    const { result, error, methods } = await run({}, { faults: [fault] });
    expect(result).toBeUndefined();
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(methods.filter((method) => method === 'insert').length).toBeLessThanOrEqual(3);
  });

  test('a failure on the query’s data, without writing it to the log', async () => {
    const failing = await planned(rows, 'SELECT n / (n - 1) AS q FROM logs.edge');
    const { error, warnings } = await run({ plan: failing });
    expect(error).toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringMatching(/division by zero/i),
    });
    expect(warnings).toEqual([]);
  });

  test('a query that would read more than it may, before it reads anything', async () => {
    await using served = servedEngine(rows, rows.server, { maxBytesBilled: 1e12, queryCache: false });
    const asked = { ...requestOf(slow), maxScanBytes: 1 };
    await expect(served.engine.run(asked)).rejects.toMatchObject({
      code: 'COST_LIMIT_EXCEEDED',
      message: expect.stringMatching(/billed [\d,]+ bytes, .* the 1 byte\b/),
      details: { maxScanBytes: 1 },
    });
  });

  test('a mistake, with its place in the text before', async () => {
    const twoTables = await planned(rows, 'SELECT a.n FROM logs.edge AS a JOIN logs.edge AS b\nON a.n = b.n');
    const message = `Bad thing in ${dataset.projectId}:${dataset.datasetId}.edge at [2:4]`;
    const { error } = await run({ plan: twoTables }, { faults: [failing('invalidQuery', message)] });
    expect(error).toMatchObject({ code: 'QUERY_FAILED', message: 'Bad thing in logs.edge [at 2:4]' });
  });

  test('a query that would cost too much, with both figures', async () => {
    const { error } = await run({ plan: slow }, { settings: { maxBytesBilled: 1, queryCache: false } });
    expect(error).toMatchObject({
      code: 'COST_LIMIT_EXCEEDED',
      message: expect.stringMatching(/billed [\d,]+ bytes, .* the 1 byte\b/),
    });
  });
});

describe('deadlines that pass, and callers who leave', () => {
  const forever: FaultInput = { method: 'POST', path: '/(jobs|queries)$', jobRunsMs: 'forever' };

  test('a job that isn’t complete at the deadline is a timeout, and cancelled on the server', async () => {
    const { error, methods } = await run({ timeoutMs: 1_500 }, { faults: [forever] });
    expect(error).toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect(methods).toContain('cancel');
    expect(newestJob()).toMatchObject({ isDone: true, result: undefined });
  });

  test.each(['required', 'optional'] as const)('the last caller leaves (jobs %s)', async (jobCreation) => {
    const reason = new Error('left');
    const { error, methods } = await run(
      { signal: leaves(reason) },
      { settings: { jobCreation }, faults: [forever] },
    );
    expect(error).toBe(reason);
    expect(methods.filter((method) => method === 'cancel')).toHaveLength(1);
    expect(newestJob().isDone).toBe(true);
  });

  test('the caller leaves while the job’s making is not answered', async () => {
    const reason = new Error('left');
    const hanging: FaultInput = { method: 'POST', path: '/jobs$', hang: 'after' };
    const running = run({ signal: leaves(reason) }, { faults: [hanging, forever] });
    const { error, methods } = await running;
    expect(error).toBe(reason);
    expect(methods).toContain('cancel');
  });

  test('no job is created for a request whose deadline passed in the queue', async () => {
    const api = new ScriptedApi({});
    const engine = new BigQueryEngine({
      api,
      project: 'p',
      texts: new JobTexts(async () => ({
        tables: new Map(),
        edits: [],
        after: [],
        limit: { kind: 'none', end: 0 },
        uses: [],
        reads: [],
        bounds: { sources: [], newestFirst: undefined },
        choices: [],
      })),
      settings: deployment,
      clock: new ManualClock(),
      log: { info() {}, warn() {}, error() {} },
    });
    await expect(engine.run(requestOf(plan, { timeoutMs: 1 }))).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
      message: 'The query timed out after 1 ms.',
    });
    expect(api.calls).toEqual([]);
  });

  test('a server that hangs for ever is a timeout', async () => {
    // What is left of a request's time is no round number.
    const { error } = await run({ timeoutMs: 599.75 }, { faults: [{ hang: 'before', times: 0 }] });
    expect(error).toMatchObject({
      code: 'QUERY_TIMEOUT',
      message: 'The query timed out after 600 ms.',
    });
  });

  test('closing ends what runs', async () => {
    rows.server.fail(forever);
    await using served = servedEngine(rows, rows.server);
    const running = served.engine.run(requestOf(plan));
    running.catch(() => {});
    await jobMade();
    await served.engine.close();
    await expect(running).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    expect(newestJob().isDone).toBe(true);
  });
});

/** Resolves when the server has made a job since now. */
async function jobMade(): Promise<void> {
  const [before] = rows.server.jobs;
  while (rows.server.jobs[0] === before) await sleep(5);
}

/** The signal of a caller who leaves as soon as the server has made a job. */
function leaves(reason: Error): AbortSignal {
  const controller = new AbortController();
  jobMade().then(() => controller.abort(reason));
  return controller.signal;
}
