import { BigQuery } from '@google-cloud/bigquery';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dataset, type ServedRows, serveRows } from './support/served-rows.ts';

/** Google's own client is the judge of what Google's server answers. */
describe("Google's client", () => {
  let rows: ServedRows;
  let bigquery: BigQuery;

  beforeAll(async () => {
    vi.stubEnv('METADATA_SERVER_DETECTION', 'none');
    rows = await serveRows({
      events: {
        columns: [
          { name: 'n', type: 'INT64' },
          { name: 'tags', type: 'STRING', mode: 'REPEATED' },
          {
            name: 'parts',
            type: 'RECORD',
            mode: 'REPEATED',
            fields: [
              { name: 'share', type: 'FLOAT64' },
              { name: 'day', type: 'DATE' },
            ],
          },
        ],
        rows: Array.from({ length: 25 }, (_, i) => ({
          id: `row-${String(i).padStart(2, '0')}`,
          timestamp: `2026-11-20T05:00:${String(i).padStart(2, '0')}.123456Z`,
          n: i,
          tags: i === 0 ? ['a', 'b'] : [],
          parts: i === 0 ? [{ share: 0.5, day: '2026-01-02' }] : [],
        })),
      },
    });
    const { origin } = new URL(rows.server.url);
    bigquery = new BigQuery({ projectId: dataset.projectId, apiEndpoint: origin });
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rows?.[Symbol.asyncDispose]();
  });

  test('reads rows of a short query', async () => {
    const [found] = await bigquery.query({
      query: `SELECT * FROM logs_eu.events WHERE n = @n`,
      params: { n: 0 },
    });
    expect(found).toEqual([
      {
        id: 'row-00',
        timestamp: expect.objectContaining({ value: '2026-11-20T05:00:00.123456000Z' }),
        n: 0,
        tags: ['a', 'b'],
        parts: [{ share: 0.5, day: expect.objectContaining({ value: '2026-01-02' }) }],
      },
    ]);
  });

  test('waits for a job, and follows pages', async () => {
    const [job] = await bigquery.createQueryJob({
      query: 'SELECT id FROM `test-project.logs_eu.events` ORDER BY id',
    });
    const [found] = await job.getQueryResults({ maxResults: 10 });
    expect(found.map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, i) => `row-${String(i).padStart(2, '0')}`),
    );
    const [all] = await job.getQueryResults();
    expect(all).toHaveLength(25);
    const streamed: unknown[] = [];
    for await (const row of job.getQueryResultsStream()) streamed.push(row);
    expect(streamed).toHaveLength(25);
  });

  test('reads what a job has cost', async () => {
    const [job] = await bigquery.createQueryJob({
      query: 'SELECT COUNT(n) FROM logs_eu.events',
      useQueryCache: false,
    });
    await job.promise();
    const [metadata] = await job.getMetadata();
    expect(metadata.status).toEqual({ state: 'DONE' });
    expect(metadata.statistics.query).toMatchObject({ totalBytesBilled: '10485760', cacheHit: false });
    expect(metadata.statistics).toMatchObject({ totalBytesProcessed: '200' });
  });

  test('asks what a query would cost', async () => {
    const [job] = await bigquery.createQueryJob({ query: 'SELECT n FROM logs_eu.events', dryRun: true });
    expect(job.metadata.statistics.totalBytesProcessed).toBe('200');
    expect(job.metadata.statistics.query.schema.fields).toEqual([
      { name: 'n', type: 'INTEGER', mode: 'NULLABLE' },
    ]);
    expect(job.metadata.jobReference).not.toHaveProperty('jobId');
  });

  test('reads a table, and the list of tables', async () => {
    const [metadata] = await bigquery.dataset('logs_eu').table('events').getMetadata();
    expect(metadata).toMatchObject({ type: 'TABLE', numRows: '25', location: 'US' });
    expect(metadata.schema.fields.slice(0, 3)).toEqual([
      { name: 'id', type: 'STRING', mode: 'REQUIRED' },
      { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
      { name: 'n', type: 'INTEGER', mode: 'NULLABLE' },
    ]);
    const [tables] = await bigquery.dataset('logs_eu').getTables();
    expect(tables.map(({ id }) => id)).toEqual(['events']);
  });

  test('cancels a job', async () => {
    rows.server.fail({ path: '/jobs$', jobRunsMs: 'forever' });
    const [job] = await bigquery.createQueryJob({ query: 'SELECT 1 AS one' });
    expect(job.metadata.status).toEqual({ state: 'RUNNING' });
    const [answer] = await job.cancel();
    expect(answer).toMatchObject({
      kind: 'bigquery#jobCancelResponse',
      job: { status: { state: 'DONE', errorResult: { reason: 'stopped' } } },
    });
  });

  test('lists jobs', async () => {
    const [jobs] = await bigquery.getJobs({ maxResults: 2, autoPaginate: false });
    expect(jobs).toHaveLength(2);
    expect(jobs[0]?.metadata.status.state).toBe('DONE');
  });

  test('gets the error of a query', async () => {
    await expect(bigquery.query('SELECT nope FROM logs_eu.events')).rejects.toMatchObject({
      code: 400,
      message: 'Unrecognized name: nope at [1:8]',
      errors: [expect.objectContaining({ reason: 'invalidQuery', location: 'q' })],
    });
  });
});
