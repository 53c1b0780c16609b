import { describe, expect, test } from 'vitest';
import { sendRaw } from '../listener/running-gateway.ts';
import { runCachingGateway, target, textEndpoint } from './support/caching-gateway.ts';

/** A gateway that has answered the target, and the beginning of a raw request for it. */
async function answeredGateway(endpoint = textEndpoint()) {
  const gateway = await runCachingGateway(endpoint);
  await gateway.call();
  const rawGet = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: key\r\n`;
  await sendRaw(gateway.port, `${rawGet}Connection: close\r\n\r\n`);
  return { ...gateway, rawGet };
}

describe('a target that was answered before', () => {
  test('is answered at once, and counts as asked for', async () => {
    const { call, clock, table, tookShortcut, engine } = await answeredGateway();
    await clock.advance(7_000);
    expect((await call()).status).toBe(200);
    expect(tookShortcut()).toBe(true);
    expect([...table.values()].map(({ askedAt }) => askedAt)).toEqual([clock.now()]);
    expect(engine.runs).toHaveLength(1);
  });

  test('carries the request id of its caller', async () => {
    const { call, tookShortcut } = await answeredGateway();
    const id = 'trace-0123456789abcdef';
    expect((await call(target, { headers: { 'X-Request-Id': id } })).headers['x-request-id']).toBe(id);
    expect(tookShortcut()).toBe(true);
    const bad = await call(target, { headers: { 'X-Request-Id': 'short' } });
    expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['no key', { 'X-API-KEY': '' }, 401],
    ['a wrong key', { 'X-API-KEY': 'kex' }, 401],
    ['two keys, the first one wrong', { 'X-API-KEY': ['no', 'key'] }, 401],
    ['a wrong bearer token beside the key', { Authorization: 'Bearer no' }, 401],
    ['a key that may not do this', { 'X-API-KEY': 'token' }, 403],
    ['a bearer token', { 'X-API-KEY': '', Authorization: 'Bearer key' }, 200],
    ['another scheme beside the key', { Authorization: 'Basic eA==' }, 200],
  ])('is asked for with %s', async (_, headers, status) => {
    const { call, engine } = await answeredGateway();
    for (const method of ['GET', 'HEAD'])
      expect((await call(target, { method, headers })).status).toBe(status);
    expect(engine.runs).toHaveLength(1);
  });

  test('is redacted as the first of several headers says', async () => {
    const { call } = await answeredGateway();
    const once = { 'LF-ENDPOINT-REDACT-PII': 'true' };
    for (const _ of [1, 2]) {
      expect((await call(target, { headers: once })).body).toContain('REDACTED');
      const twice = { 'LF-ENDPOINT-REDACT-PII': ['true', 'false'] };
      expect((await call(target, { headers: twice })).body).toContain('REDACTED');
      const joined = { 'LF-ENDPOINT-REDACT-PII': 'true, true' };
      expect((await call(target, { headers: joined })).body).toContain('REDACTED');
      const off = { 'LF-ENDPOINT-REDACT-PII': ['false', 'true'] };
      expect((await call(target, { headers: off })).body).toContain('10.0.0.9');
    }
  });

  test('is not answered from an endpoint that was changed or removed', async () => {
    const { call, engine, useEndpoint, executor } = await answeredGateway();
    useEndpoint(undefined);
    expect((await call()).status).toBe(404);
    const changed = textEndpoint({ version: 'v2' });
    useEndpoint(changed);
    engine.answer = () => [['new']];
    executor.retain(new Map([[changed.id, [changed.version]]]));
    expect((await call()).body).toBe('{"result":[{"text":"new"}]}');
    expect((await call()).body).toBe('{"result":[{"text":"new"}]}');
    expect(engine.runs).toHaveLength(2);
  });

  test('is not answered from an entry that was dropped', async () => {
    const { call, engine, executor } = await answeredGateway();
    await executor.invalidate({ endpointId: textEndpoint().id });
    await call();
    expect(engine.runs).toHaveLength(2);
  });

  test('is only remembered where the result is kept', async () => {
    const { call, tookShortcut } = await answeredGateway(textEndpoint({ cacheSeconds: 0 }));
    await call();
    expect(tookShortcut()).toBe(false);
  });
});

describe('on a connection', () => {
  test('answers keep the order of their requests', async () => {
    const { port, rawGet, engine } = await answeredGateway();
    engine.answer = undefined;
    const slow = rawGet.replace('project=a', 'project=slow');
    const last = `${rawGet}Connection: close\r\n\r\n`;
    const received = sendRaw(port, `${slow}\r\n${rawGet}\r\n${last}`);
    await expect.poll(() => engine.runs.length).toBe(2);
    engine.latest.succeed([['slow']]);
    const text = await received;
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3);
    expect(text.match(/"text":"[^"]*"/g)).toEqual([
      '"text":"slow"',
      '"text":"from 10.0.0.9"',
      '"text":"from 10.0.0.9"',
    ]);
  });

  test('a response is followed by the error for invalid HTTP', async () => {
    const { port, rawGet } = await answeredGateway();
    const text = await sendRaw(port, `${rawGet}\r\nnonsense\r\n\r\n`);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test.each([
    ['Content-Length: 0\r\n\r\n', ['HTTP/1.1 200', 'HTTP/1.1 200']],
    ['Content-Length: 2\r\n\r\n{}', ['HTTP/1.1 200', 'HTTP/1.1 200']],
    ['Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', ['HTTP/1.1 200', 'HTTP/1.1 200']],
    // The client may still send the body that it was given no leave for: the connection ends.
    ['Expect: 100-continue\r\n\r\n', ['HTTP/1.1 200']],
  ])('a request with %j does not disturb the next one', async (rest, statuses) => {
    const { port, rawGet } = await answeredGateway();
    const text = await sendRaw(port, `${rawGet}${rest}${rawGet}Connection: close\r\n\r\n`);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(statuses);
  });

  test('a request without a host is refused, and HTTP/1.0 needs none', async () => {
    const { port, rawGet } = await answeredGateway();
    const hostless = rawGet.replace('Host: localhost\r\n', '');
    expect(await sendRaw(port, `${hostless}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/);
    const old = await sendRaw(port, `${rawGet.replace('HTTP/1.1', 'HTTP/1.0')}\r\n`);
    expect(old).toMatch(/^HTTP\/1.1 200 OK.*Connection: close.*\r\n\r\n\{"result":\[/s);
  });
});
