import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { runCachingGateway, target, textEndpoint } from './support/caching-gateway.ts';

const body = '{"result":[{"text":"from 10.0.0.9"}]}';
const redacted = '{"result":[{"text":"from REDACTED"}]}';
const failure = new GatewayError('BACKEND_UNAVAILABLE', 'Gone.');

describe('the headers of an answer', () => {
  test('say that the rows were made for it, and then how old they are', async () => {
    const { call, clock, engine } = await runCachingGateway();
    const first = await call();
    expect(first).toMatchObject({
      status: 200,
      body,
      headers: {
        'cache-control': 'private, max-age=60',
        age: '0',
        'cache-status': 'endpoint-gateway; fwd=uri-miss; stored',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
        vary: 'Accept, Accept-Encoding, LF-ENDPOINT-REDACT-PII, LF-Endpoint-Version, Authorization, X-API-KEY',
      },
    });
    const readable = String(first.headers['access-control-expose-headers']).toLowerCase().split(', ');
    expect(readable).toEqual(expect.arrayContaining(['age', 'cache-status', 'etag']));
    await clock.advance(12_999);
    const second = await call();
    expect(second.headers).toMatchObject({
      'cache-control': 'private, max-age=47',
      age: '12',
      'cache-status': 'endpoint-gateway; hit; ttl=47',
      etag: first.headers.etag,
    });
    expect(second.body).toBe(body);
    await clock.advance(47_001);
    expect((await call()).headers).toMatchObject({
      age: '0',
      'cache-status': 'endpoint-gateway; fwd=uri-miss; stored',
    });
    expect(engine.runs).toHaveLength(2);
  });

  test('are the same on the long way and on the short one', async () => {
    const { call, clock, tookShortcut } = await runCachingGateway();
    await call();
    await clock.advance(5_000);
    const long = await call(`${target}&size=`);
    expect(tookShortcut()).toBe(false);
    const short = await call(`${target}&size=`);
    expect(tookShortcut()).toBe(true);
    const { date: _, 'x-request-id': longId, ...longHeaders } = long.headers;
    const { date: __, 'x-request-id': shortId, ...shortHeaders } = short.headers;
    expect(shortHeaders).toEqual(longHeaders);
    expect(shortId).not.toBe(longId);
    expect(short.body).toBe(long.body);
  });

  test('say which requests shared the run of another one', async () => {
    const { call, engine, joined } = await runCachingGateway();
    engine.answer = undefined;
    const calls = [call(), call(), call()];
    await expect.poll(joined).toBe(2);
    engine.latest.succeed([['x']]);
    const statuses = (await Promise.all(calls)).map(({ headers }) => headers['cache-status']).toSorted();
    expect(statuses).toEqual([
      'endpoint-gateway; fwd=uri-miss; stored',
      'endpoint-gateway; fwd=uri-miss; stored; collapsed',
      'endpoint-gateway; fwd=uri-miss; stored; collapsed',
    ]);
  });

  test('say when rows are too old, where the endpoint lets them stand in', async () => {
    const { call, clock, engine } = await runCachingGateway(textEndpoint({ staleIfErrorSeconds: 30 }));
    await call();
    engine.answer = () => {
      throw failure;
    };
    await clock.advance(75_000);
    expect(await call()).toMatchObject({
      status: 200,
      body,
      headers: {
        'cache-control': 'private, max-age=0',
        age: '75',
        'cache-status': 'endpoint-gateway; fwd=stale; ttl=-15; detail="stale-if-error"',
      },
    });
    await clock.advance(15_000);
    const late = await call();
    expect(late).toMatchObject({ status: 503, headers: { 'cache-control': 'private, max-age=0' } });
    for (const name of ['etag', 'age', 'cache-status']) expect(late.headers).not.toHaveProperty(name);
  });

  test('say that an endpoint is not cached', async () => {
    const { call, engine } = await runCachingGateway(textEndpoint({ cacheSeconds: 0 }));
    for (const _ of [1, 2]) {
      const { headers } = await call();
      expect(headers).toMatchObject({
        'cache-control': 'private, max-age=0',
        'cache-status': 'endpoint-gateway; fwd=bypass',
      });
      expect(headers).not.toHaveProperty('age');
    }
    expect(engine.runs).toHaveLength(2);
  });

  test('of a POST are those of a GET', async () => {
    const { call, clock } = await runCachingGateway();
    await call();
    await clock.advance(1_000);
    const headers = { 'Content-Type': 'application/json' };
    const reply = await call('/api/endpoints/query/counts', {
      method: 'POST',
      headers,
      body: '{"project":"a"}',
    });
    expect(reply).toMatchObject({
      body,
      headers: { age: '1', 'cache-status': 'endpoint-gateway; hit; ttl=59', etag: expect.any(String) },
    });
  });
});

describe('an entity tag', () => {
  test('differs by what is sent', async () => {
    const { call, engine } = await runCachingGateway();
    engine.answer = () => [['no address. '.repeat(200)]];
    const gzip = { 'Accept-Encoding': 'gzip' };
    const redaction = { 'LF-ENDPOINT-REDACT-PII': 'true' };
    const replies = await Promise.all(
      [{}, gzip, redaction, { ...gzip, ...redaction }].map((headers) => call(target, { headers })),
    );
    expect(new Set(replies.map(({ headers }) => headers.etag))).toHaveLength(4);
    expect(replies.map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      undefined,
      'gzip',
    ]);
    expect(gunzipSync(Buffer.from(replies[1]?.body ?? '', 'latin1')).toString()).toBe(replies[0]?.body);
    expect(engine.runs).toHaveLength(1);
  });

  test('stays while the rows do, and changes with them', async () => {
    const { call, clock, engine } = await runCachingGateway();
    const { etag } = (await call()).headers;
    await clock.advance(60_000);
    expect((await call()).headers.etag).toBe(etag);
    await clock.advance(60_000);
    engine.answer = () => [['other']];
    expect((await call()).headers.etag).not.toBe(etag);
  });

  test.each([
    ['the tag', (etag: string) => etag, 304],
    ['the tag as a weak one', (etag: string) => `W/${etag}`, 304],
    ['a list with the tag', (etag: string) => `"a,b", W/"c" ,${etag}`, 304],
    ['anything', () => ' * ', 304],
    ['another tag', () => '"other"', 200],
    ['the tag within another one', (etag: string) => `"x${etag.slice(1)}`, 200],
    ['the tag without quotes', (etag: string) => etag.slice(1, -1), 200],
    ['nothing', () => '', 200],
  ])('that the caller has as %s is looked at, on both ways', async (_, header, status) => {
    const { call, clock, tookShortcut } = await runCachingGateway();
    const { etag = '' } = (await call()).headers;
    await clock.advance(2_000);
    const headers = { 'If-None-Match': header(etag) };
    for (const path of [`${target}&`, target]) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await call(path, { method, headers });
        expect(reply.status).toBe(status);
        expect(reply.body).toBe(status === 200 && method === 'GET' ? body : '');
        expect(reply.headers).toMatchObject({
          etag,
          age: '2',
          'cache-control': 'private, max-age=58',
          'cache-status': 'endpoint-gateway; hit; ttl=58',
          vary: expect.stringContaining('Authorization'),
          date: expect.any(String),
          'x-request-id': expect.any(String),
          'access-control-allow-origin': '*',
          'x-content-type-options': 'nosniff',
        });
        if (status === 304) {
          expect(reply.headers).not.toHaveProperty('content-type');
          expect(reply.headers).not.toHaveProperty('transfer-encoding');
        }
      }
    }
    expect(tookShortcut()).toBe(true);
  });

  test('changes nothing about a POST or about a failure', async () => {
    const { call, engine, clock } = await runCachingGateway();
    const headers = { 'If-None-Match': '*' };
    expect((await call(target, { method: 'POST', headers })).status).toBe(200);
    engine.answer = () => {
      throw failure;
    };
    await clock.advance(60_000);
    expect((await call(target, { headers })).status).toBe(503);
  });
});

test('rows are redacted for callers who request it, and only for them', async () => {
  const { call, engine } = await runCachingGateway();
  const headers = { 'LF-ENDPOINT-REDACT-PII': 'true' };
  for (const _ of [1, 2, 3]) {
    expect((await call()).body).toBe(body);
    expect((await call(target, { headers })).body).toBe(redacted);
  }
  expect(engine.runs).toHaveLength(1);
});

test('a failure is never kept', async () => {
  const { call, engine } = await runCachingGateway();
  engine.answer = () => {
    throw failure;
  };
  expect((await call()).status).toBe(503);
  engine.answer = () => [['x']];
  expect((await call()).status).toBe(200);
  expect((await call()).headers['cache-status']).toContain('hit');
});

test('the answer to many callers at once is made once', async () => {
  const { call, engine, ask } = await runCachingGateway();
  engine.answer = undefined;
  const calls = Array.from({ length: 50 }, () => call());
  await expect.poll(() => engine.runs.length).toBe(1);
  engine.latest.succeed([['x']]);
  const replies = await Promise.all(calls);
  expect(new Set(replies.map((reply) => reply.body))).toEqual(new Set(['{"result":[{"text":"x"}]}']));
  const { bodies } = await ask(textEndpoint());
  const made = bodies.get('as-is json micros text identity');
  expect(made).toBeDefined();
  await call();
  expect(bodies.get('as-is json micros text identity')).toBe(made);
});
