import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorCatalogue, GatewayError } from '../../../src/base/errors/errors.ts';
import { acceptsGzip } from '../../../src/server/http/request/accept.ts';
import { fakeExecutor, noRows, redactedEndpoint, runGateway } from '../listener/running-gateway.ts';

const target = '/api/endpoints/query/logs.all?project=a';
const texts = [{ name: 'text', type: { kind: 'STRING' } }] as const;

function failing(error: unknown) {
  return fakeExecutor(() => {
    throw error;
  });
}

describe('an answer', () => {
  test('has the headers that callers rely on', async () => {
    const gateway = await runGateway();
    const { headers } = await gateway.call(target);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, max-age=0',
      'content-length': '13',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('X-Result-Truncated'),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers).not.toHaveProperty('x-result-truncated');
  });

  test('has an id that reveals nothing about the number of other requests', async () => {
    const gateway = await runGateway();
    const ends = new Set<string>();
    for (let request = 0; request < 4; request++) {
      const id = String((await gateway.call(target)).headers['x-request-id']);
      ends.add(id.slice(0, 8)).add(id.slice(-8));
    }
    expect(ends.size).toBe(8);
  });

  test('says when rows were cut', async () => {
    const gateway = await runGateway({ executor: fakeExecutor(() => ({ ...noRows, truncated: true })) });
    expect((await gateway.call(target)).headers['x-result-truncated']).toBe('true');
  });

  test.each([
    ['trace-0123456789abcdef', true],
    [`${'a'.repeat(200)}`, true],
    ['a'.repeat(201), false],
    ['too-short', false],
    ['0123456789 0123456789', false],
    ['0123456789<script>0123456789', false],
    [`x=egw_${'0aZ'.repeat(12)}00`, false],
  ])('carries the request id %s: %s', async (id, isEchoed) => {
    const gateway = await runGateway();
    const { headers } = await gateway.call(target, { headers: [['X-Request-Id', id]] });
    expect(headers['x-request-id'] === id).toBe(isEchoed);
  });

  test('is compressed when it is large and the caller takes gzip', async () => {
    const text = 'é'.repeat(5000);
    const executor = fakeExecutor(() => ({ ...noRows, columns: texts, rows: [[text]] }));
    const gateway = await runGateway({ executor });
    const response = await fetch(gateway.url + target, { headers: { 'X-API-KEY': 'key' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(Number(response.headers.get('content-length'))).toBeLessThan(500);
    expect(await response.json()).toEqual({ result: [{ text }] });

    const plain = await gateway.call(target);
    expect(plain.headers).toMatchObject({
      vary: expect.stringContaining('Accept-Encoding'),
      'content-length': '10024',
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const head = await gateway.call(target, { method: 'HEAD', headers: [['Accept-Encoding', 'gzip']] });
    expect(head.headers['content-length']).toBe(response.headers.get('content-length'));
  });

  test('is 406 for a caller who accepts none of the formats', async () => {
    const gateway = await runGateway();
    const reply = await gateway.call(target, { headers: [['Accept', 'text/html']] });
    expect(reply).toMatchObject({
      status: 406,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  });
});

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['identity', false],
  ['gzip;q=x', false],
])('Accept-Encoding %j takes gzip: %s', (header, isTaken) => {
  expect(acceptsGzip(header)).toBe(isTaken);
});

describe('a preflight', () => {
  test.each(['/api/endpoints/query/logs.all', '/api/endpoints/query/unknown', '/endpoints/query/logs.all'])(
    'of %s is answered without a key',
    async (path) => {
      const gateway = await runGateway();
      const headers = [
        ['Origin', 'https://app.example'],
        ['Access-Control-Request-Method', 'GET'],
      ] as const;
      const reply = await gateway.call(path, { method: 'OPTIONS', anonymous: true, headers });
      expect(reply).toMatchObject({
        status: 204,
        body: '',
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, POST, OPTIONS',
          'access-control-allow-headers': expect.stringMatching(
            /Authorization.*If-None-Match.*X-API-Key.*LF-ENDPOINT-LABELS.*traceparent.*Apollo-Require-Preflight/,
          ),
          'access-control-max-age': '1728000',
        },
      });
      expect(reply.headers).not.toHaveProperty('content-length');
    },
  );
});

describe('a failure of the executor', () => {
  const statuses = Object.entries(errorCatalogue).map(([code, { status }]) => [code, status] as const);
  const queryErrors: ErrorCode[] = [
    'ALLOWANCE_EXHAUSTED',
    'COST_LIMIT_EXCEEDED',
    'QUERY_FAILED',
    'QUERY_TIMEOUT',
    'BACKEND_UNAVAILABLE',
    'OVERLOADED',
  ];

  test.each(statuses)('%s is answered %i with its text', async (code, status) => {
    const gateway = await runGateway({
      executor: failing(new GatewayError(code as ErrorCode, 'The reason.')),
    });
    const reply = await gateway.call(target);
    expect(reply).toMatchObject({ status, body: `{"error":"The reason.","code":"${code}"}` });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect((await gateway.call(target, { method: 'HEAD' })).status).toBe(status);
  });

  test.each(statuses)('%s is answered 200 only if it is of the query, where so set', async (code, status) => {
    const error = new GatewayError(code as ErrorCode, 'The reason.');
    const gateway = await runGateway({ executor: failing(error), queryErrorsAs200: true });
    const reply = await gateway.call(target);
    expect(reply.status).toBe(queryErrors.includes(code as ErrorCode) ? 200 : status);
    expect(reply.body).toBe(`{"error":"The reason.","code":"${code}"}`);
  });

  test('names the parameter and the place that are wrong, and no more of its details', async () => {
    const details = { parameter: 'sql', location: { line: 2, column: 5 }, kind: 'other', withoutValues: '' };
    const error = new GatewayError('BAD_USER_INPUT', 'The reason [at 2:5].', details);
    const gateway = await runGateway({ executor: failing(error) });
    expect(JSON.parse((await gateway.call(target)).body)).toEqual({
      error: 'The reason [at 2:5].',
      code: 'BAD_USER_INPUT',
      parameter: 'sql',
      location: { line: 2, column: 5 },
    });
  });

  test('says when to try again', async () => {
    const error = new GatewayError('OVERLOADED', 'Busy.', { retryAfterSeconds: 1.2 });
    const gateway = await runGateway({ executor: failing(error) });
    expect(await gateway.call(target)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  });

  test.each([
    [new Error('password=hunter2')],
    ['a text'],
    [undefined],
    [new TypeError('x is not a function')],
  ])('that is a defect (%o) is reported in the log and not to the caller', async (thrown) => {
    const gateway = await runGateway({ executor: failing(thrown), queryErrorsAs200: true });
    const reply = await gateway.call(target);
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.body)).toEqual({
      error: "Internal error. See the gateway's log.",
      code: 'INTERNAL_SERVER_ERROR',
    });
    expect(gateway.log.lines).toEqual(['error: a request failed unexpectedly']);
  });

  test('to give values of the promised types is a defect', async () => {
    const executor = fakeExecutor(() => ({ ...noRows, columns: texts, rows: [[1n]] }));
    const gateway = await runGateway({ executor });
    expect((await gateway.call(target)).status).toBe(500);
  });
});

describe('redaction', () => {
  const answerWithAddress = () => ({ ...noRows, columns: texts, rows: [['from 10.0.0.9']] });
  const redacted = '{"result":[{"text":"from REDACTED"}]}';
  const asIs = '{"result":[{"text":"from 10.0.0.9"}]}';

  test.each([
    ['True', redacted],
    ['true,true', redacted],
    ['true, false', redacted],
    ['false, true', asIs],
    ['false', asIs],
    ['yes', asIs],
  ])('is done when the caller asks for it by %s', async (value, body) => {
    const gateway = await runGateway({ executor: fakeExecutor(answerWithAddress) });
    const reply = await gateway.call(target, { headers: [['LF-ENDPOINT-REDACT-PII', value]] });
    expect(reply).toMatchObject({ status: 200, body });
  });

  test('goes by the first header when there are several', async () => {
    const gateway = await runGateway({ executor: fakeExecutor(answerWithAddress) });
    const header = (value: string) => ['LF-ENDPOINT-REDACT-PII', value] as const;
    const reply = await gateway.call(target, { headers: [header('true'), header('false')] });
    expect(reply.body).toBe(redacted);
  });

  test('is done where the endpoint has it, whatever the caller says', async () => {
    const gateway = await runGateway({ executor: fakeExecutor(answerWithAddress) });
    const headers = [['LF-ENDPOINT-REDACT-PII', 'false']] as const;
    const reply = await gateway.call(`/api/endpoints/query/${redactedEndpoint.id}`, { headers });
    expect(reply.body).toBe(redacted);
  });

  test('is not done unasked', async () => {
    const gateway = await runGateway({ executor: fakeExecutor(answerWithAddress) });
    expect((await gateway.call(target)).body).toBe(asIs);
  });
});
