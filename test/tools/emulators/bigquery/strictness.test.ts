import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cells, errorOf, rest } from './support/rest.ts';
import { type ServedRows, serveRows } from './support/served-rows.ts';

let rows: ServedRows;
let api: ReturnType<typeof rest>;

beforeAll(async () => {
  rows = await serveRows({ events: { columns: [{ name: 'n', type: 'INT64' }], rows: [] } });
  api = rest(rows.server);
});
afterAll(async () => rows?.[Symbol.asyncDispose]());

describe('a body', () => {
  test('has known fields only', async () => {
    expect(errorOf(await api.query('SELECT 1', { rowLimit: 5 }))).toEqual({
      status: 400,
      reason: 'badRequest',
      message:
        'Invalid JSON payload received. Unknown name "rowLimit" at \'query_request\': Cannot find field.',
    });
    const inserted = await api.insert('SELECT 1', 'unknown-field', { query: { jobTimeoutMs: '5' } });
    expect(errorOf(inserted).message).toBe(
      'Invalid JSON payload received. Unknown name "jobTimeoutMs" at \'job.configuration.query\': Cannot find field.',
    );
  });

  test.each([
    [{ timeoutMs: 'soon' }, 'query_request.timeout_ms'],
    [{ useQueryCache: 'true' }, 'query_request.use_query_cache'],
    [{ maximumBytesBilled: 1.5 }, 'query_request.maximum_bytes_billed'],
    [{ location: 5 }, 'query_request.location'],
    [{ jobCreationMode: 'OPTIONAL' }, 'query_request.job_creation_mode'],
    [{ labels: { a: 1 } }, 'query_request.labels[0].value'],
    [{ queryParameters: {} }, 'query_request.query_parameters'],
    [{ formatOptions: { useInt64Timestamp: 1 } }, 'query_request.format_options.use_int64_timestamp'],
  ])('has fields of the right types: %j', async (fields, place) => {
    const { status, reason, message } = errorOf(await api.query('SELECT 1', fields));
    expect({ status, reason }).toEqual({ status: 400, reason: 'badRequest' });
    expect(message).toContain(`Invalid value at '${place}'`);
  });

  test('has no list where one value belongs', async () => {
    expect(errorOf(await api.query('SELECT 1', { labels: [] })).message).toBe(
      'Invalid JSON payload received. Unknown name "labels" at \'query_request\': Proto field is not repeating, cannot start list.',
    );
  });

  test('is JSON, and says so', async () => {
    expect(errorOf(await api.post('/queries', '{"query": '))).toMatchObject({ reason: 'parseError' });
    const plain = await api.post('/queries', { query: 'SELECT 1' }, { 'content-type': 'text/plain' });
    expect(errorOf(plain)).toMatchObject({ status: 400, reason: 'badContent' });
  });

  test('asks for standard SQL: legacy SQL is the default', async () => {
    expect(errorOf(await api.post('/queries', { query: 'SELECT 1' }))).toMatchObject({
      status: 400,
      reason: 'invalidQuery',
    });
  });

  test('holds a query', async () => {
    expect(errorOf(await api.post('/queries', { useLegacySql: false })).reason).toBe('required');
    expect(errorOf(await api.post('/jobs', { configuration: {} })).reason).toBe('invalid');
  });
});

describe('a query string', () => {
  test.each([
    'maxRows=5',
    'maxResults=many',
    'maxResults=-1',
    'formatOptions.useInt64Timestamp=1',
    'location=US&location=EU',
  ])('is checked: %s', async (query) => {
    expect(errorOf(await api.get(`/queries/some-job?${query}`))).toMatchObject({
      status: 400,
      reason: 'badRequest',
    });
  });
});

describe('parameters', () => {
  const withParameter = (parameter: object, more: object = { parameterMode: 'NAMED' }) =>
    api.query('SELECT @p', { queryParameters: [{ name: 'p', ...parameter }], ...more });

  test('have a type, a name and a mode', async () => {
    const parameterValue = { value: '1' };
    expect(errorOf(await withParameter({ parameterValue })).reason).toBe('invalid');
    expect(errorOf(await withParameter({ parameterType: { type: 'INT' }, parameterValue })).reason).toBe(
      'invalid',
    );
    const parameterType = { type: 'INT64' };
    expect(errorOf(await withParameter({ name: '', parameterType, parameterValue })).reason).toBe('invalid');
    expect(errorOf(await withParameter({ parameterType, parameterValue }, {})).reason).toBe('invalid');
    expect(errorOf(await withParameter({ parameterType: { type: 'ARRAY' } })).reason).toBe('invalid');
  });

  test.each([
    ['INT64', '1.5'],
    ['INT64', '9223372036854775808'],
    ['FLOAT64', 'much'],
    ['BOOL', '1'],
    ['NUMERIC', '1e40'],
    ['TIMESTAMP', '1.4810976E9'],
    ['TIMESTAMP', '2026-11-20 06:00:00 +00:00'],
    ['DATE', '2026-02-30'],
    ['TIME', '25:00:00'],
    ['DATETIME', '2026-01-01T00:00:00Z'],
    ['BYTES', 'not base64!'],
    ['JSON', '{'],
    ['INTERVAL', 'a day'],
  ])('of type %s are not %s', async (type, value) => {
    expect(
      errorOf(await withParameter({ parameterType: { type }, parameterValue: { value } })),
    ).toMatchObject({
      status: 400,
      reason: 'invalidQuery',
      message: expect.stringContaining(`Unparseable query parameter \`p\` in type \`TYPE_${type}\``),
    });
  });

  test.each([
    ['INT64', '-9223372036854775808', '-9223372036854775808'],
    ['FLOAT64', '-inf', '-Infinity'],
    ['FLOAT64', '1e300', '1.0E300'],
    ['BOOL', 'true', 'true'],
    ['BIGNUMERIC', '1.50', '1.5'],
    ['TIMESTAMP', '1969-12-31T23:59:59.999999Z', '-1.0E-6'],
    ['TIMESTAMP', '2026-11-20 06:00:00.123456+00:00', '1.795154400123456E9'],
    ['DATETIME', '2026-01-01 00:00:00.5', '2026-01-01T00:00:00.500000'],
    ['BYTES', '/w==', '/w=='],
    ['JSON', '{"a": 1}', '{"a":1}'],
    ['INTERVAL', '1-2 3 4:5:6.5', '1-2 3 4:5:6.500'],
    ['STRING', 'é\u0000"', 'é\u0000"'],
  ])('of type %s: %j', async (type, value, answered) => {
    const answer = await withParameter({ parameterType: { type }, parameterValue: { value } });
    expect(cells(answer)).toEqual([[answered]]);
  });

  test('are NULL without a value', async () => {
    expect(cells(await withParameter({ parameterType: { type: 'DATE' } }))).toEqual([[null]]);
  });

  test('may be arrays and structs', async () => {
    const parameterType = {
      type: 'ARRAY',
      arrayType: { type: 'STRUCT', structTypes: [{ name: 'n', type: { type: 'INT64' } }] },
    };
    const parameterValue = { arrayValues: [{ structValues: { n: { value: '5' } } }] };
    expect(cells(await withParameter({ parameterType, parameterValue }))).toEqual([
      [[{ v: { f: [{ v: '5' }] } }]],
    ]);
  });

  test('that a query uses must be there', async () => {
    expect(errorOf(await api.query('SELECT @p'))).toMatchObject({
      reason: 'invalidQuery',
      message: "Query parameter 'p' not found at [1:8]",
    });
  });
});

describe('a job', () => {
  test.each([
    { labels: { Team: 'x' } },
    { labels: { '1st': 'x' } },
    { labels: { team: 'A b' } },
    { labels: { ['k'.repeat(64)]: '' } },
    { labels: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, ''])) },
    { reservation: 'my-reservation' },
    { jobTimeoutMs: '-1' },
  ])('is refused for %j', async (configuration) => {
    const refused = await api.insert('SELECT 1', 'refused', { configuration });
    expect(errorOf(refused)).toMatchObject({ status: 400, reason: 'invalid' });
  });

  test('may have labels and a reservation', async () => {
    const labels = { team: 'straße-1', env: '' };
    const reservation = 'projects/p/locations/US/reservations/fast';
    const made = await api.insert('SELECT 1', 'labelled', { configuration: { labels, reservation } });
    expect(made.json).toMatchObject({ configuration: { labels, reservation } });
  });

  test('has an id of its pattern, of its own', async () => {
    expect(errorOf(await api.insert('SELECT 1', 'a.b')).reason).toBe('invalid');
    expect(errorOf(await api.insert('SELECT 1', 'a'.repeat(1025))).reason).toBe('invalid');
    expect((await api.insert('SELECT 1', 'twice')).status).toBe(200);
    expect(errorOf(await api.insert('SELECT 1', 'twice'))).toEqual({
      status: 409,
      reason: 'duplicate',
      message: 'Already Exists: Job test-project:US.twice',
    });
  });

  test("has the URL's project", async () => {
    const made = await api.insert('SELECT 1', 'elsewhere', { reference: { projectId: 'other-project' } });
    expect(errorOf(made).reason).toBe('invalid');
  });

  test('is interactive or a batch', async () => {
    expect((await api.insert('SELECT 1', 'batch', { query: { priority: 'BATCH' } })).status).toBe(200);
    expect(errorOf(await api.insert('SELECT 1', 'now', { query: { priority: 'NOW' } })).reason).toBe(
      'invalid',
    );
  });
});

describe('names', () => {
  test.each([
    'SELECT n FROM `test-project.logs_eu.events`',
    'SELECT n FROM test-project.logs_eu.events',
    'SELECT n FROM `test-project`.logs_eu.events',
    'SELECT n FROM `test-project`.`logs_eu`.`events`',
    'SELECT n FROM `test-project.logs_eu`.events',
    'SELECT n FROM `logs_eu.events`',
    'SELECT e.n FROM logs_eu.events AS e, UNNEST([1]) AS x',
  ])('of a table: %s', async (sql) => {
    expect(await api.query(sql)).toMatchObject({ status: 200, json: { totalRows: '0' } });
  });

  test('without a dataset need a default', async () => {
    expect(errorOf(await api.query('SELECT n FROM events'))).toEqual({
      status: 400,
      reason: 'invalid',
      message: 'Table "events" must be qualified with a dataset (e.g. dataset.table).',
    });
    const answer = await api.query('SELECT n FROM events', { defaultDataset: { datasetId: 'logs_eu' } });
    expect(answer.status).toBe(200);
  });

  test('that are unknown are refused in BigQuery’s words', async () => {
    const refused = async (sql: string) => errorOf(await api.query(sql));
    const notFound = { status: 404, reason: 'notFound' };
    expect(await refused('SELECT 1 FROM logs_eu.other')).toEqual({
      ...notFound,
      message: 'Not found: Table test-project:logs_eu.other was not found in location US',
    });
    expect(await refused('SELECT n FROM `test-project`.logs_eu . Events')).toEqual({
      ...notFound,
      message: 'Not found: Table test-project:logs_eu.Events was not found in location US',
    });
    expect(await refused('SELECT 1 FROM `other-project.d.t`')).toEqual({
      ...notFound,
      message: 'Not found: Dataset other-project:d was not found in location US',
    });
    expect(errorOf(await api.get('/datasets/logs_eu/tables/other')).message).toBe(
      'Not found: Table test-project:logs_eu.other',
    );
    expect(errorOf(await api.get('/datasets/other/tables')).message).toBe(
      'Not found: Dataset test-project:other',
    );
    expect(errorOf(await api.get('/jobs/never'))).toEqual({
      ...notFound,
      message: 'Not found: Job test-project:never',
    });
  });

  test('of projects are checked, a placeholder among them', async () => {
    const left = await rest(rows.server, '%7B%7BprojectId%7D%7D').query('SELECT 1');
    expect(errorOf(left)).toMatchObject({
      status: 400,
      reason: 'invalid',
      message: expect.stringContaining("Invalid project ID '{{projectId}}'"),
    });
    expect(errorOf(await rest(rows.server, 'other-project').query('SELECT 1'))).toMatchObject({
      status: 404,
    });
  });

  test('of columns may not repeat in a result', async () => {
    expect(errorOf(await api.query('SELECT 1 AS a, 2 AS A, 3 AS a_1')).message).toContain(
      'Duplicate column names',
    );
  });
});

test('unknown methods get an HTML page', async () => {
  const answer = await api.get('/nothing');
  expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('<!DOCTYPE html>') });
});

test('a POST must state the length of its body', async () => {
  const { hostname, port, pathname } = new URL(rows.server.url);
  const status = await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${pathname}/projects/test-project/queries HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
    });
    socket.on('error', reject);
    socket.on('data', (chunk) => resolve(chunk.toString().slice(0, 12)));
  });
  expect(status).toBe('HTTP/1.1 411');
});

test('responses are compressed for clients that accept it', async () => {
  const ask = (encoding: string) =>
    fetch(`${rows.server.url}/projects/test-project/jobs`, { headers: { 'accept-encoding': encoding } });
  expect((await ask('gzip')).headers.get('content-encoding')).toBe('gzip');
  expect((await ask('identity')).headers.get('content-encoding')).toBeNull();
  expect(await (await ask('gzip')).json()).toMatchObject({ kind: 'bigquery#jobList' });
});

describe('authorization', () => {
  test('is required if the server is configured so', async () => {
    const strict = rest(await rows.start({ authorization: { token: 'right' } }));
    const as = (authorization: string) => strict.get('/jobs', { authorization });
    expect(errorOf(await strict.get('/jobs'))).toMatchObject({ status: 401, reason: 'required' });
    expect(errorOf(await as('Bearer wrong'))).toMatchObject({ status: 401, reason: 'authError' });
    expect((await as('Bearer right')).status).toBe(200);
  });
});
