import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { systemClock } from '../../../src/base/system/clock.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { newKeyText } from '../../../src/calls/access/key/key-text.ts';
import { writableSource } from '../../../src/definitions/sources/writable-sources.ts';
import type { Rejections } from '../../../src/rows/ingest/events/event-outcome.ts';
import type { EventRequest } from '../../../src/rows/ingest/events/event-request.ts';
import type { Rejection } from '../../../src/rows/ingest/events/parsed-events.ts';
import type { AddedEvents, ReceivedEvents } from '../../../src/server/collectors/collector-handler.ts';
import { EventReports, noEventMeter } from '../../../src/server/collectors/event-reports.ts';
import { type Call, runGateway } from '../listener/running-gateway.ts';

const none: Rejections = { events: [], counts: [] };
const bad: Rejection = {
  source: 'app',
  unit: 'event',
  index: 3,
  reason: 'a: expected INT64, got "x"',
  cause: 'type',
  text: '{}',
};
const some: Rejections = { events: [bad], counts: [{ source: 'app', cause: 'type', count: 2 }] };
const added = (rejected = none, conflicts: AddedEvents['conflicts'] = []): AddedEvents => ({
  kind: 'added',
  conflicts,
  rows: [{ source: 'app', imported: 2, duplicates: 0, newest: 0n }],
  rejected,
});

const sources = [{ name: 'app', aliases: ['app.logs.prod'] }];

async function collecting(
  outcome: ReceivedEvents | (() => Promise<ReceivedEvents>) = added(),
  fakes: Parameters<typeof runGateway>[0] = {},
) {
  const bodies: (EventRequest & { readonly text: string })[] = [];
  const kept: Rejection[] = [];
  const lines: object[] = [];
  const log = { info: () => {}, warn: () => {} };
  const reports = new EventReports({
    ...{ meter: noEventMeter, log, clock: systemClock },
    keep: (events) => kept.push(...events),
  });
  const gateway = await runGateway({
    logRequest: (line) => lines.push(line),
    ...fakes,
    collectors: {
      resolveSource: (name, writable) => writableSource(sources, name, writable).name,
      reports,
      async receive(body, request) {
        bodies.push({ ...request, text: Buffer.from(body).toString() });
        return typeof outcome === 'function' ? outcome() : outcome;
      },
    },
  });
  const post = (target: string, body: string | Buffer = '{}', call: Call = {}) =>
    gateway.call(target, { method: 'POST', body, ...call });
  return { gateway, post, bodies, kept, lines };
}

describe("Logflare's routes", () => {
  test.each([
    '/api/logs?source=app',
    '/api/logs?source_name=app',
    '/logs?source=app.logs.prod',
    '/api/events?source=app',
    '/api/logs/json?source=app',
    '/logs/vector?source=app',
    '/api/events/cloudflare?source=app&source_name=app',
  ])('take events at %s', async (target) => {
    const { post, bodies } = await collecting();
    const headers = [['Content-Encoding', 'gzip']] as const;
    const reply = await post(target, '{"message":"m"}', { headers });
    expect(reply).toMatchObject({ status: 200, body: '{"message":"Logged!"}' });
    expect(bodies).toMatchObject([
      {
        format: 'json',
        source: 'app',
        contentEncoding: 'gzip',
        partial: false,
        text: '{"message":"m"}',
      },
    ]);
  });

  test('tell the requests of keys apart, and those with other idempotency keys', async () => {
    const { post, bodies } = await collecting();
    await post('/logs?source=app');
    await post('/logs?source=app', '{}', { headers: [['Idempotency-Key', 'a']] });
    const [first, second] = bodies.map(({ sender }) => sender);
    expect(first).toHaveLength(1);
    expect(second).toEqual([...(first ?? []), 'a']);
  });

  test('say which events were rejected, and keep them', async () => {
    const { post, kept } = await collecting({ kind: 'rejected', rejected: some });
    const reply = await post('/api/logs?source=app');
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toEqual({
      error: 'Nothing was added. 2 events rejected: event 3: a: expected INT64, got "x"; and 1 more',
      code: 'BAD_USER_INPUT',
      rejected: [{ source: 'app', unit: 'event', index: 3, reason: 'a: expected INT64, got "x"' }],
      rejectedCount: 2,
    });
    expect(kept).toEqual([bad]);
  });

  test('say so as well when the others were added', async () => {
    const { post, bodies, kept } = await collecting(added(some));
    const reply = await post('/api/logs?source=app&partial=true');
    expect(JSON.parse(reply.body)).toMatchObject({ message: 'Logged!', rejectedCount: 2 });
    expect(bodies).toMatchObject([{ partial: true }]);
    expect(kept).toEqual([bad]);
  });

  test.each([
    ['/api/logs?source=app&source=app', 400, /more than once/],
    ['/api/logs?source=app&source_name=app.logs.prod', 400, /differ/],
    ['/api/logs?source=app&partial=yes', 400, /expected true or false/],
    ['/api/logs?source=toString', 404, /no source named "toString"/],
    ['/api/logs/xml?source=app', 404, /Not found/],
  ])('refuse %s', async (target, status, reason) => {
    const { post, bodies } = await collecting();
    const reply = await post(target);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body).error).toMatch(reason);
    expect(bodies).toEqual([]);
  });

  test.each([
    ['/api/logs?collection=app', 'app'],
    ['/logs?collection_name=app', 'app'],
    ['/api/logs/erlang/logger?source=&source_name=app.logs.prod', 'app'],
    ['/api/events', undefined],
  ])('take the source as Logflare does: %s', async (target, source) => {
    const { post, bodies } = await collecting();
    expect(await post(target)).toMatchObject({ status: 200 });
    expect(bodies).toMatchObject([{ source }]);
  });

  test.each(['X-Source', 'X-Collection'])(
    'take the source from the header %s, after the parameters',
    async (name) => {
      const { post, bodies } = await collecting();
      await post('/logs', '{}', { headers: [[name, 'app']] });
      await post('/logs?source=app', '{}', { headers: [[name, 'nowhere']] });
      expect(bodies).toMatchObject([{ source: 'app' }, { source: 'app' }]);
      expect(await post('/logs', '{}', { headers: [[name, 'nowhere']] })).toMatchObject({ status: 404 });
    },
  );

  test('warn of values that are in other_fields', async () => {
    const conflicts = [{ source: 'app', count: 2, first: 'status: expected STRING, got 200' }];
    const { post } = await collecting(added(none, conflicts));
    const { body } = await post('/logs?source=app');
    expect(JSON.parse(body)).toEqual({
      message: 'Logged!',
      warnings: [
        '2 events of app with values in other_fields, the first for: status: expected STRING, got 200',
      ],
    });
    const json = { headers: [['Content-Type', 'application/json']] as const };
    const otlp = await post('/v1/logs?source=app', '{}', json);
    expect(JSON.parse(otlp.body)).toEqual({
      partialSuccess: { rejectedLogRecords: '0', errorMessage: expect.stringContaining('2 events of app') },
    });
  });

  test('need a key that may write every row, and POST', async () => {
    const reader = { name: 'reader', secret: 'reader', redact: false, scopes: new Set(['query'] as const) };
    const scopes = new Set(['write'] as const);
    const bound = { name: 'bound', secret: 'bound', redact: false, scopes, projects: new Set(['p']) };
    const access = keyAccess([reader, bound, { name: 'writer', secret: 'key', redact: false, scopes }]);
    const { gateway, post } = await collecting(added(), { access });
    const as = (key: string) => ({ anonymous: true, headers: [['X-API-KEY', key]] as const });
    const target = '/api/logs?source=app';
    expect((await post(target, '{}', { anonymous: true })).status).toBe(401);
    expect((await post(target, '{}', as('reader'))).status).toBe(403);
    expect((await post(target, '{}', as('bound'))).status).toBe(403);
    expect((await post(target, '{}', as('reader'))).body).toContain('it lacks the scope \\"write\\".');
    expect((await post(target, '{}', as('key'))).status).toBe(200);
    expect((await post('/v1/logs', '{}', as('reader'))).status).toBe(403);
    expect(await gateway.call(target)).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
  });

  test('never show a key in an answer, wherever it was sent', async () => {
    const key = newKeyText();
    const reason = `a: expected INT64, got "${key}"`;
    const { post } = await collecting({
      kind: 'rejected',
      rejected: { ...some, events: [{ ...bad, reason }] },
    });
    const json = { headers: [['Content-Type', 'application/json']] as const };
    const replies = [
      await post('/api/logs?source=app'),
      await post(`/api/logs?source=${key}`),
      await post('/v1/logs', '{}', json),
      await post(`/v1/logs?source=${key}`, '{}', json),
    ];
    for (const { body } of replies) expect(body).toContain('egw_****');
    for (const { body } of replies) expect(body).not.toContain(key);
  });

  test('have no line in the log for each request that gets to its events', async () => {
    const { post, lines } = await collecting();
    await post('/api/logs?source=app');
    await post('/api/logs?source=unknown');
    expect(lines).toMatchObject([{ status: 404 }]);
  });
});

test('unknown parameters are ignored and named', async () => {
  const { post } = await collecting();
  const json = { headers: [['Content-Type', 'application/json']] as const };
  const ignored = async (target: string) => {
    const { status, headers } = await post(target, '{}', json);
    return [status, headers['x-ignored-parameters']];
  };
  expect(await ignored('/api/logs?source=app&parital=true&partial=true')).toEqual([200, 'parital']);
  expect(await ignored('/api/logs/json?sorce=app')).toEqual([200, 'sorce']);
  expect(await ignored('/v1/logs?source=app&partial=true')).toEqual([200, 'partial']);
  expect(await ignored('/api/logs?source=app&source_name=app&api_key=key')).toEqual([200, undefined]);
  expect(await ignored(`/api/logs?source=app&${newKeyText()}=1`)).toEqual([
    200,
    'egw_**************************************',
  ]);
});

describe('bodies', () => {
  test('that are too large are refused', async () => {
    const { post, bodies } = await collecting(added(), { environment: { INGEST_MAX_BODY_BYTES: '1000' } });
    expect(await post('/logs?source=app', 'x'.repeat(1001))).toMatchObject({ status: 413 });
    const headers = [['Transfer-Encoding', 'chunked']] as const;
    expect(await post('/logs?source=app', 'x'.repeat(1001), { headers })).toMatchObject({ status: 413 });
    expect(await post('/logs?source=app', 'x'.repeat(1000), { headers })).toMatchObject({ status: 200 });
    expect(bodies).toHaveLength(1);
  });

  test('wait nowhere: when too many are in progress, further ones are to come again', async () => {
    const committed = Promise.withResolvers<ReceivedEvents>();
    const environment = { INGEST_MAX_BODY_BYTES: '1000', INGEST_MAX_PENDING_BYTES: '1000' };
    const { post, bodies } = await collecting(() => committed.promise, { environment });
    const first = post('/logs?source=app', 'x'.repeat(1000));
    await expect.poll(() => bodies.length).toBe(1);
    const second = await post('/logs?source=app', 'x'.repeat(1000));
    expect(second).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    committed.resolve(added());
    expect((await first).status).toBe(200);
    expect((await post('/logs?source=app', 'x'.repeat(1000))).status).toBe(200);
  });

  test('count as they arrive, whatever they announce', async () => {
    const environment = { INGEST_MAX_BODY_BYTES: '1000', INGEST_MAX_PENDING_BYTES: '1000' };
    const { gateway, post, bodies } = await collecting(added(), { environment });
    const idle = Array.from({ length: 4 }, () => {
      const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void socket.destroy());
      const head =
        'POST /logs?source=app HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 1000\r\n\r\nx';
      return once(socket, 'connect').then(() => socket.write(head));
    });
    await Promise.all(idle);
    for (let posted = 0; posted < 5; posted++) {
      expect((await post('/logs?source=app', 'x'.repeat(900))).status).toBe(200);
    }
    expect(bodies).toHaveLength(5);
  });

  test('of which the largest that still arrives is refused when its key needs the memory', async () => {
    const environment = { INGEST_MAX_BODY_BYTES: '1000', INGEST_MAX_PENDING_BYTES: '1000' };
    const { gateway, post } = await collecting(added(), { environment });
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    const answered = once(socket, 'data');
    const head =
      'POST /logs?source=app HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 1000\r\n\r\n';
    socket.write(`${head}${'x'.repeat(999)}`);
    await expect.poll(async () => (await post('/logs?source=app', 'x'.repeat(500))).status).toBe(200);
    await expect.poll(async () => (await post('/logs?source=app', 'x'.repeat(500))).status).toBe(200);
    expect(String(await answered)).toContain('HTTP/1.1 429 ');
  });

  test('count until the engine has let go of them, also when their request has timed out', async () => {
    const committed = Promise.withResolvers<ReceivedEvents>();
    const environment = { INGEST_MAX_BODY_BYTES: '1000', INGEST_MAX_PENDING_BYTES: '1000' };
    const { post } = await collecting(() => committed.promise, { environment, requestTimeoutMs: 50 });
    const target = '/logs?source=app';
    expect((await post(target, 'x'.repeat(1000))).status).toBe(504);
    expect((await post(target, 'x'.repeat(1000))).status).toBe(429);
    committed.resolve(added());
    await expect.poll(async () => (await post(target, 'x'.repeat(1000))).status).toBe(200);
  });

  test('that are large must not arrive slowly: they would keep the memory from others', async () => {
    const { gateway, bodies } = await collecting(added(), { uploadWindowMs: 40, unreadBodyTimeoutMs: 40 });
    const socket = connect(gateway.port, '127.0.0.1');
    const head =
      'POST /api/logs?source=app HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 30000000\r\n\r\n';
    socket.write(head);
    const sending = setInterval(() => socket.write('x'.repeat(100)), 5);
    onTestFinished(() => clearInterval(sending));
    const [piece] = await once(socket, 'data');
    socket.on('error', () => {}).destroy();
    expect(String(piece)).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodies).toEqual([]);
  });

  test('whose commit fails get the reason, and when to come again', async () => {
    const { post } = await collecting(async () => {
      throw new GatewayError('BACKEND_UNAVAILABLE', 'The disk is full.', { retryAfterSeconds: 10 });
    });
    expect(await post('/logs?source=app')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
      body: '{"error":"The disk is full.","code":"BACKEND_UNAVAILABLE"}',
    });
    const otlp = await post('/v1/logs', '{}', { headers: [['Content-Type', 'application/json']] });
    expect(otlp).toMatchObject({ status: 503, body: '{"code":14,"message":"The disk is full."}' });
  });
});

describe('OTLP', () => {
  const json = { headers: [['Content-Type', 'application/json']] as const };
  const protobuf = { headers: [['Content-Type', 'application/x-protobuf']] as const };

  test('is answered in the format of the request', async () => {
    const { post, bodies } = await collecting();
    const target = '/v1/logs?source=app';
    expect(await post(target, '{}', json)).toMatchObject({ status: 200, body: '{}' });
    const reply = await post(target, 'x', protobuf);
    expect(reply).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-type': 'application/x-protobuf' },
    });
    expect(bodies).toMatchObject([
      { format: 'otlp-json', source: 'app', partial: true },
      { format: 'otlp-protobuf', source: 'app', partial: true },
    ]);
  });

  test('takes an empty body, which is a request without records', async () => {
    const { post, bodies } = await collecting(added());
    expect(await post('/v1/logs', '', protobuf)).toMatchObject({ status: 200, body: '' });
    expect(bodies).toMatchObject([{ format: 'otlp-protobuf' }]);
  });

  test('says how many records were rejected', async () => {
    const { post } = await collecting(added(some));
    const { partialSuccess } = JSON.parse((await post('/v1/logs', '{}', json)).body);
    expect(partialSuccess).toMatchObject({ rejectedLogRecords: '2', errorMessage: /event 3/ });
    // ExportLogsServiceResponse { partial_success { rejected_log_records: 2, error_message } }
    const { body } = await post('/v1/logs', 'x', protobuf);
    const message = '2 events rejected: event 3: a: expected INT64, got "x"; and 1 more';
    expect(body).toBe(
      `\x0a${String.fromCharCode(message.length + 4)}\x08\x02\x12${String.fromCharCode(message.length)}${message}`,
    );
  });

  test('has a source by parameter, by header, or by default', async () => {
    const { post, bodies } = await collecting(added(), { environment: { OTLP_SOURCE: 'app' } });
    await post('/v1/logs', '{}', json);
    await post('/v1/logs', '{}', { headers: [...json.headers, ['X-Source', 'app.logs.prod']] });
    expect(bodies.map(({ source }) => source)).toEqual(['app', 'app']);
    expect((await post('/v1/logs?source=other', '{}', json)).status).toBe(404);
  });

  test('refuses other content types', async () => {
    const { post } = await collecting();
    const reply = await post('/v1/logs', 'x', { headers: [['Content-Type', 'text/plain']] });
    expect(reply.status).toBe(415);
    expect(JSON.parse(reply.body).message).toMatch(
      /text\/plain.* Use application\/x-protobuf or application\/json\.$/,
    );
  });
});
