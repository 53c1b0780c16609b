import { describe, expect, test } from 'vitest';
import { ApiError, NoAnswer } from '../../../../src/engines/bigquery/api/api-error.ts';
import { settled } from '../../../calls/executor/support/manual-clock.ts';
import {
  costs,
  deployment,
  failedJob,
  incomplete,
  job,
  jobIdOf,
  made,
  never,
  page,
  setup,
} from '../support/job-setup.ts';

const backendError = new ApiError(503, { reason: 'backendError', message: 'try again' });
const duplicate = ({ body }: { body: { jobReference: { jobId: string } } }) =>
  new ApiError(409, { reason: 'duplicate', message: `Already Exists: Job p:EU.${body.jobReference.jobId}` });

describe('a run', () => {
  test('makes a job, asks for its rows in the location that it was given, and for its cost', async () => {
    const { api, run } = setup({ insert: [made], results: [page(['a', 'b'])] });
    const result = await run();
    expect(result).toEqual({
      rows: [['a'], ['b']],
      truncated: false,
      cost: { bytesProcessed: 1000, bytesBilled: 10_485_760, slotMs: 70, engineCacheHit: false },
    });
    expect(api.methods).toEqual(['insert', 'results', 'get']);
    const [insert, results, get] = api.calls;
    expect(insert?.body.jobReference).toEqual({ projectId: 'p', jobId: 'endpoint-gateway-1' });
    expect(insert?.body.configuration).toMatchObject({
      jobTimeoutMs: '25000',
      query: { query: 'SELECT x', useLegacySql: false, useQueryCache: true, priority: 'INTERACTIVE' },
    });
    expect(results?.path).toBe('/projects/p/queries/endpoint-gateway-1');
    expect(results?.query).toEqual({
      location: 'EU',
      maxResults: '10',
      timeoutMs: '5000',
      'formatOptions.useInt64Timestamp': 'true',
    });
    expect(get?.query).toEqual({ location: 'EU' });
  });

  test('sends the settings of the job', async () => {
    const settings = { ...deployment, location: 'EU', maxBytesBilled: 5, labels: new Map([['team', 'x']]) };
    const asked = {
      ...job,
      priority: 'batch',
      queryCache: false,
      maxBytesBilled: 7,
      jobTimeoutMs: 900,
      reservation: 'projects/p/locations/EU/reservations/r',
      location: 'europe-west4',
    } as const;
    const { api, run } = setup({ insert: [made], results: [page([])] }, { settings, job: asked });
    await run();
    expect(api.calls[0]?.body).toEqual({
      jobReference: { projectId: 'p', jobId: 'endpoint-gateway-1', location: 'europe-west4' },
      configuration: {
        jobTimeoutMs: '900',
        reservation: 'projects/p/locations/EU/reservations/r',
        labels: {
          managed_by: 'endpoint-gateway',
          endpoint: 'usage_api-counts',
          endpoint_id: '5e0f1a52-8c1d-4a55-b3f7-0c9c1f3c6d84',
          team: 'x',
        },
        query: {
          query: 'SELECT x',
          useLegacySql: false,
          useQueryCache: false,
          priority: 'BATCH',
          maximumBytesBilled: '7',
        },
      },
    });
  });

  test('without rows is empty only when BigQuery says that there are none', async () => {
    expect(await setup({ insert: [made], results: [page([])] }).run()).toMatchObject({ rows: [] });
    const noTotal = setup({ insert: [made], results: [page([], { totalRows: undefined })] });
    await expect(noTotal.run()).rejects.toThrow('totalRows is missing');
    const noSchema = setup({ insert: [made], results: [page([], { schema: undefined })] });
    await expect(noSchema.run()).rejects.toThrow('no schema');
  });

  test('costs what its rows say of it where the job does not say all in time, and nothing is made up', async () => {
    const costOf = async (cacheHit: boolean) => {
      const results = [page(['a'], { totalBytesProcessed: '9', cacheHit })];
      const { clock, run } = setup({ insert: [made], results, get: [never] });
      const running = run();
      await clock.advance(3_000);
      return (await running).cost;
    };
    expect(await costOf(false)).toEqual({ bytesProcessed: 9, engineCacheHit: false });
    expect(await costOf(true)).toEqual({
      bytesProcessed: 9,
      bytesBilled: 0,
      slotMs: 0,
      engineCacheHit: true,
    });
    const failing = setup({ insert: [made], results: [page(['a'])], get: [() => backendError] });
    expect(await failing.run()).toEqual({ rows: [['a']], truncated: false, cost: undefined });
  });

  test('an answer about another job is nobody else’s to read', async () => {
    const other = page(['secret'], { jobReference: { projectId: 'p', jobId: 'other' } });
    await expect(setup({ insert: [made], results: [other] }).run()).rejects.toThrow('about the job other');
  });
});

describe('a job that takes its time', () => {
  test('is asked again, and less often when BigQuery answers at once', async () => {
    const results = [incomplete, incomplete, incomplete, page(['a'])];
    const { api, clock, run } = setup({ insert: [made], results });
    const running = run();
    await clock.advance(50);
    expect(api.of('results')).toHaveLength(2);
    await clock.advance(100);
    expect(api.of('results')).toHaveLength(3);
    await clock.advance(200);
    expect((await running).rows).toEqual([['a']]);
  });

  test('is never delayed past the deadline', async () => {
    const { api, clock, leave, run } = setup({ insert: [made], results: [incomplete] }, { timeoutMs: 700 });
    const running = run();
    running.catch(() => {});
    await clock.advance(400);
    const waits = api.of('results').map(({ query }) => Number(query.timeoutMs));
    expect(waits[0]).toBe(350);
    expect(waits.at(-1)).toBeLessThanOrEqual(250);
    leave();
    await expect(running).rejects.toThrow('left');
  });
});

describe('the making of a job', () => {
  test('is repeated under the same id when its answer is lost, and a duplicate is that job', async () => {
    const lost = () => new NoAnswer('reset');
    const { api, run } = setup({ insert: [lost, duplicate], results: [page(['a'])] });
    expect((await run()).rows).toEqual([['a']]);
    expect(api.of('insert').map(({ body }) => body.jobReference.jobId)).toEqual([
      'endpoint-gateway-1',
      'endpoint-gateway-1',
    ]);
    // Where the job is, only BigQuery's sentence tells.
    expect(api.of('results')[0]?.query.location).toBe('EU');
  });

  test('is tried three times, and a job that may exist nevertheless is cancelled', async () => {
    const { api, clock, run } = setup({ insert: [() => backendError] });
    await expect(run()).rejects.toBe(backendError);
    await clock.advance(0);
    expect(api.methods).toEqual(['insert', 'insert', 'insert', 'cancel']);
    expect(jobIdOf(api.calls.at(-1))).toBe('endpoint-gateway-1');
  });

  test('is not repeated when BigQuery refuses it, nor cancelled', async () => {
    const refused = new ApiError(400, { reason: 'invalidQuery', message: 'no' });
    const { api, clock, run } = setup({ insert: [() => refused] });
    await expect(run()).rejects.toBe(refused);
    await clock.advance(60_000);
    expect(api.methods).toEqual(['insert']);
  });

  test('is not repeated without budget; the pause before it knows of what was asked for, and of the deadline', async () => {
    const { api, clock, run } = setup({ insert: [() => backendError] });
    api.mayRetry = false;
    const deadline = clock.elapsed() + 25_000;
    await expect(run()).rejects.toBe(backendError);
    expect(api.of('insert')).toHaveLength(1);
    expect(api.pauses).toEqual([{ attempt: 1, error: backendError, deadline }]);
  });

  test('leaves time for one more attempt, of which the last has all that is left', async () => {
    const hanging = async () => new NoAnswer('timed out');
    const { api, run } = setup({ insert: [hanging] }, { timeoutMs: 3_000 });
    await expect(run()).rejects.toThrow('timed out');
    expect(api.of('insert').map(({ attemptTimeoutMs }) => attemptTimeoutMs)).toEqual([1_500, 1_500, 13_000]);
  });
});

describe('a failed job', () => {
  const atOnce = (reason: string) => (call: Parameters<typeof made>[0], signal: AbortSignal) => ({
    ...(made(call, signal) as object),
    status: { state: 'DONE', errorResult: { reason, message: reason } },
  });

  test('is followed by another job, under a new id, when its reason passes', async () => {
    const insert = [atOnce('backendError'), atOnce('jobRateLimitExceeded'), made];
    const { api, run } = setup({ insert, results: [page(['a'])] });
    expect((await run()).rows).toEqual([['a']]);
    expect(api.of('insert').map(({ body }) => body.jobReference.jobId)).toEqual([
      'endpoint-gateway-1',
      'endpoint-gateway-2',
      'endpoint-gateway-3',
    ]);
  });

  test('is followed by another job when its failure is only reported with its rows', async () => {
    const failed = () => new ApiError(400, { reason: 'jobBackendError', message: 'try a new job' });
    const { api, run } = setup({ insert: [made, made], results: [failed, page(['a'])] });
    expect((await run()).rows).toEqual([['a']]);
    expect(api.methods).toEqual(['insert', 'results', 'insert', 'results', 'get']);
    expect(new Set(api.of('insert').map(({ body }) => body.jobReference.jobId)).size).toBe(2);
  });

  test('ends the run after three attempts, lost answers included, and is not cancelled', async () => {
    const insert = [() => new NoAnswer('reset'), atOnce('backendError')];
    const { api, clock, run } = setup({ insert });
    await expect(run()).rejects.toMatchObject({ name: 'JobError', proto: { reason: 'backendError' } });
    await clock.advance(60_000);
    expect(api.methods).toEqual(['insert', 'insert', 'insert']);
  });

  test('is reported immediately if its reason is permanent', async () => {
    const { api, run } = setup({ insert: [atOnce('invalidQuery')] });
    await expect(run()).rejects.toMatchObject({ proto: { reason: 'invalidQuery' } });
    expect(api.methods).toEqual(['insert']);
  });

  test('whose reason comes as the failure of asking for its rows is followed by another one', async () => {
    const get = [failedJob('backendError'), costs];
    const { api, run } = setup({ insert: [made], results: [() => backendError, page(['a'])], get });
    expect((await run()).rows).toEqual([['a']]);
    expect(api.methods).toEqual(['insert', 'results', 'get', 'insert', 'results', 'get']);
  });

  test('is found out where BigQuery says that it is complete, and nothing else', async () => {
    const results = [() => ({ jobComplete: true })];
    const { run } = setup({ insert: [made], results, get: [failedJob('resourcesExceeded')] });
    await expect(run()).rejects.toMatchObject({ proto: { reason: 'resourcesExceeded' } });
  });

  test('differs from a failed poll, which is repeated while the job continues', async () => {
    const get = [
      (call: Parameters<typeof made>[0]) => ({ jobReference: { projectId: 'p', jobId: jobIdOf(call) } }),
    ];
    const results = [
      () => backendError,
      () => new NoAnswer('cut'),
      incomplete,
      () => backendError,
      page(['a']),
    ];
    const { api, clock, run } = setup({ insert: [made], results, get });
    const running = run();
    await clock.advance(50);
    expect((await running).rows).toEqual([['a']]);
    expect(api.of('insert')).toHaveLength(1);
  });
});

describe('leaving', () => {
  test('before the job is made makes none', async () => {
    const { api, leave, run } = setup({ insert: [made] });
    leave();
    await expect(run()).rejects.toThrow('left');
    expect(api.calls).toEqual([]);
  });

  test('while the job is being made cancels it as soon as it is known', async () => {
    const answer = Promise.withResolvers<void>();
    const insert = [async (...call: Parameters<typeof made>) => answer.promise.then(() => made(...call))];
    const { api, leave, run } = setup({ insert });
    const running = run();
    await settled();
    leave();
    await expect(running).rejects.toThrow('left');
    expect(api.methods).toEqual(['insert']);
    answer.resolve();
    await settled();
    expect(api.methods).toEqual(['insert', 'cancel']);
    expect(api.of('cancel')[0]).toMatchObject({ query: { location: 'EU' } });
  });

  test('while the making is not answered cancels the job as often as it takes to find it', async () => {
    const notYet = () => new ApiError(404, { reason: 'notFound', message: 'Not found: Job' });
    const cancel = [notYet, notYet, notYet, () => ({})];
    const { api, clock, leave, run, warnings } = setup({ insert: [never], cancel });
    const running = run();
    await settled();
    leave();
    await expect(running).rejects.toThrow('left');
    await clock.advance(500);
    expect(api.of('cancel')).toHaveLength(1);
    await clock.advance(10_000);
    expect(api.of('cancel')).toHaveLength(4);
    expect(jobIdOf(api.of('cancel')[3])).toBe('endpoint-gateway-1');
    expect(warnings).toEqual([]);
  });

  test('between two attempts cancels the job that the first may have made', async () => {
    const { api, leave, run } = setup({ insert: [() => new NoAnswer('cut')] });
    api.pauseBeforeRetry = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const running = run();
    await settled();
    leave();
    await expect(running).rejects.toThrow('left');
    await settled();
    expect(api.methods).toEqual(['insert', 'cancel']);
  });

  test('during an attempt cancels once, whatever the attempts before it have made', async () => {
    const { api, clock, leave, run } = setup({ insert: [() => new NoAnswer('cut'), never] });
    const running = run();
    await settled();
    leave();
    await expect(running).rejects.toThrow('left');
    await clock.advance(60_000);
    expect(api.methods).toEqual(['insert', 'insert', 'cancel']);
  });

  test('while waiting for the job cancels it, and doesn’t wait for that', async () => {
    const { api, leave, run } = setup({ insert: [made], results: [never], cancel: [never] });
    const running = run();
    await settled();
    leave();
    await expect(running).rejects.toThrow('left');
    await settled();
    expect(api.methods).toEqual(['insert', 'results', 'cancel']);
  });

  test('between pages cancels nothing: the job is done', async () => {
    const results = [page(['a'], { totalRows: '2', pageToken: 't' }), never];
    const { api, clock, leave, run } = setup({ insert: [made], results });
    const running = run();
    await settled();
    leave();
    await expect(running).rejects.toThrow('left');
    await clock.advance(60_000);
    expect(api.of('cancel')).toEqual([]);
  });

  test('a job that can’t be asked any more is cancelled', async () => {
    const { api, run } = setup({ insert: [made], results: [() => new NoAnswer('reset')] });
    await expect(run()).rejects.toThrow('reset');
    await settled();
    expect(api.of('results')).toHaveLength(3);
    expect(api.of('cancel')).toHaveLength(1);
  });
});

describe('without a job', () => {
  const settings = { ...deployment, jobCreation: 'optional' } as const;

  test('a short query is one call, which also says what it cost', async () => {
    const answer = page(['a'], {
      totalBytesProcessed: '5',
      totalBytesBilled: '6',
      totalSlotMs: '7',
      cacheHit: false,
    });
    const { api, run } = setup({ query: [answer] }, { settings: { ...settings, location: 'EU' } });
    expect(await run()).toEqual({
      rows: [['a']],
      truncated: false,
      cost: { bytesProcessed: 5, bytesBilled: 6, slotMs: 7, engineCacheHit: false },
    });
    expect(api.methods).toEqual(['query']);
    expect(api.calls[0]).toMatchObject({
      path: '/projects/p/queries',
      body: {
        query: 'SELECT x',
        useLegacySql: false,
        useQueryCache: true,
        location: 'EU',
        jobCreationMode: 'JOB_CREATION_OPTIONAL',
        requestId: '1',
        jobTimeoutMs: '25000',
        timeoutMs: 1000,
        maxResults: 10,
        formatOptions: { useInt64Timestamp: true },
      },
    });
    expect(api.calls[0]?.body).not.toHaveProperty('priority');
  });

  test('a longer one continues as the job that BigQuery created for it', async () => {
    const answer = () => ({
      jobComplete: false,
      jobReference: { projectId: 'p', jobId: 'made', location: 'US' },
    });
    const { api, run } = setup({ query: [answer], results: [page(['a'])] }, { settings });
    expect(await run()).toMatchObject({ rows: [['a']], cost: { bytesBilled: 10_485_760 } });
    expect(api.methods).toEqual(['query', 'results', 'get']);
    expect(api.calls[1]).toMatchObject({ path: '/projects/p/queries/made', query: { location: 'US' } });
  });

  test('an incomplete answer without a job, and a further page without one, are failures', async () => {
    await expect(setup({ query: [incomplete] }, { settings }).run()).rejects.toThrow('has no job');
    const half = page(['a'], { totalRows: '2', pageToken: 't' });
    await expect(setup({ query: [half] }, { settings }).run()).rejects.toThrow('no job');
  });

  test('a lost answer is asked for again by the same request id, a failure isn’t', async () => {
    const query = [() => new NoAnswer('reset'), () => backendError, page([])];
    const { api, run } = setup({ query }, { settings });
    await run();
    const ids = api.of('query').map(({ body }) => body.requestId);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('rejects immediately for a caller who leaves, and cancels a job created meanwhile', async () => {
    const answer = Promise.withResolvers<object>();
    const { api, leave, run } = setup({ query: [() => answer.promise] }, { settings });
    const running = run();
    await settled();
    leave();
    await expect(running).rejects.toThrow('left');
    answer.resolve({ jobComplete: false, jobReference: { projectId: 'p', jobId: 'made', location: 'US' } });
    await settled();
    expect(api.methods).toEqual(['query', 'cancel']);
    expect(api.calls[1]?.path).toBe('/projects/p/jobs/made/cancel');
  });

  test('a priority takes a job', async () => {
    const { api, run } = setup(
      { insert: [made], results: [page([])] },
      { settings: { ...settings, priority: 'batch' } },
    );
    await run();
    expect(api.methods[0]).toBe('insert');
  });
});
