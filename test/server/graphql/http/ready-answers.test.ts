import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { counts, live, runCachedGraphql } from './support/cached-graphql.ts';

const query = '{ counts(project: "a") { n address } }';
const row = [1n, 'größe ☃ 198.51.100.7'] as const;
const data = { counts: [{ n: '1', address: 'größe ☃ 198.51.100.7' }] };

async function withReadyAnswer(text = query) {
  const gateway = await runCachedGraphql();
  gateway.engine.answer = () => [row];
  await gateway.ready(text);
  return gateway;
}

test('what was answered before is answered without the executor, with its own id and the age of the rows', async () => {
  const gateway = await withReadyAnswer();
  const executed = gateway.executed();
  await gateway.clock.advance(12_500);
  const reply = await gateway.post(query, { 'X-Request-Id': 'request-of-the-test-0001' });
  expect(reply).toMatchObject({
    status: 200,
    data,
    requestId: 'request-of-the-test-0001',
    headers: {
      'x-request-id': 'request-of-the-test-0001',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(reply.text)),
      'cache-control': 'private, max-age=0',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      vary: 'Accept, Accept-Encoding',
    },
  });
  expect(reply.calls).toEqual([
    {
      path: 'counts',
      endpoint: 'counts',
      rows: 1,
      truncated: false,
      engineMs: 0,
      cache: { status: 'HIT', collapsed: false, stored: true, ageSeconds: 12, ttlSeconds: 47 },
    },
  ]);
  expect(gateway.executed()).toBe(executed);
  expect(gateway.engine.runs).toHaveLength(1);
});

test('the media type of the answer is the one that the request asks for', async () => {
  const gateway = await withReadyAnswer();
  const type = 'application/graphql-response+json';
  const reply = await gateway.post(query, { Accept: type });
  expect(reply.headers['content-type']).toBe(`${type}; charset=utf-8`);
  expect(reply.data).toEqual(data);
});

test('an answer that is ready counts as a hit of each call, and as a call for its entries', async () => {
  const both = '{ x: counts(project: "a") { n } y: counts(project: "b") { n } }';
  const gateway = await withReadyAnswer(both);
  gateway.counted.length = 0;
  await gateway.clock.advance(5_000);
  expect((await gateway.post(both)).data).toEqual({ x: [{ n: '1' }], y: [{ n: '1' }] });
  expect(gateway.counted).toEqual(['counts hit', 'counts hit']);
  expect([...gateway.table.values()].map(({ askedAt }) => askedAt)).toEqual([
    gateway.clock.now(),
    gateway.clock.now(),
  ]);
});

test.each([
  ['a variable with a default value', 'query ($p: String! = "a") { counts(project: $p) { n address } }'],
  ['a directive', '{ counts(project: "a") { n address @skip(if: false) } }'],
])('an operation is made ready with %s', async (_what, text) => {
  const gateway = await withReadyAnswer(text);
  const executed = gateway.executed();
  expect(await gateway.post(text)).toMatchObject({ data, calls: [{ cache: { status: 'HIT' } }] });
  expect(gateway.executed()).toBe(executed);
});

test('by GET as well', async () => {
  const gateway = await runCachedGraphql();
  gateway.engine.answer = () => [row];
  const path = `/graphql?query=${encodeURIComponent(query)}`;
  for (let round = 0; round < 3; round++) await gateway.send(undefined, {}, path);
  const executed = gateway.executed();
  expect(await gateway.send(undefined, {}, path)).toMatchObject({
    data,
    calls: [{ cache: { status: 'HIT' } }],
  });
  expect(gateway.executed()).toBe(executed);
});

test('when the rows are too old they are refreshed', async () => {
  const gateway = await withReadyAnswer();
  await gateway.clock.advance(59_999);
  expect((await gateway.post(query)).calls[0]?.cache).toMatchObject({ status: 'HIT', ttlSeconds: 0 });
  await gateway.clock.advance(1);
  gateway.engine.answer = () => [[2n, null]];
  const reply = await gateway.post(query);
  expect(reply.data).toEqual({ counts: [{ n: '2', address: null }] });
  expect(reply.calls[0]?.cache).toMatchObject({ status: 'MISS', ageSeconds: 0, ttlSeconds: 60 });
});

test('rows refreshed meanwhile are in the next response', async () => {
  const gateway = await withReadyAnswer();
  const [held] = gateway.table.values();
  if (held === undefined) throw new Error('nothing is held');
  const { ask, clock, engine } = gateway;
  const { key } = held.entry;
  const before = gateway.table.get(key);
  gateway.table.delete(key);
  engine.answer = () => [[2n, null]];
  await ask(counts);
  expect(gateway.table.get(key)).not.toBe(before);
  expect((await gateway.post(query)).data).toEqual({ counts: [{ n: '2', address: null }] });
  expect(clock.now()).toBe(held.entry.madeAt);
});

test('an entry that was dropped takes along what was made from it', async () => {
  const gateway = await withReadyAnswer();
  gateway.engine.answer = () => [[2n, null]];
  expect(gateway.budget.bytes).toBeGreaterThan(0);
  await gateway.executor.invalidate({ endpointId: counts.id });
  expect(gateway.budget.bytes).toBe(0);
  expect((await gateway.post(query)).data).toEqual({ counts: [{ n: '2', address: null }] });
});

test('after a reload nothing is answered that was made ready before', async () => {
  const gateway = await withReadyAnswer();
  gateway.engine.answer = () => [[2n, null]];
  gateway.reload([{ ...counts, version: 'v2', maxRows: 5 }, live]);
  expect((await gateway.post(query)).data).toEqual({ counts: [{ n: '2', address: null }] });
  await gateway.ready(query);
  gateway.reload([live]);
  expect((await gateway.post(query)).errors).toMatchObject([
    { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
  ]);
});

test('a reload that leaves the endpoint as it is gives its field the new schema, and the rows from the cache', async () => {
  const text = '{ counts(project: "a") { __typename n } }';
  const gateway = await withReadyAnswer(text);
  gateway.reload([counts, { ...live, version: 'v2' }]);
  const executed = gateway.executed();
  expect(await gateway.post(text)).toMatchObject({ calls: [{ cache: { status: 'HIT' } }] });
  expect(gateway.executed()).toBe(executed + 1);
  expect(gateway.engine.runs).toHaveLength(1);
});

test('rows are redacted for callers who request it, and only for them', async () => {
  const gateway = await withReadyAnswer();
  const redacted = { counts: [{ n: '1', address: 'größe ☃ REDACTED' }] };
  for (let round = 0; round < 5; round++) {
    expect((await gateway.post(query)).data).toEqual(data);
    expect((await gateway.post(query, { 'LF-ENDPOINT-REDACT-PII': 'TRUE' })).data).toEqual(redacted);
    expect((await gateway.post(query, { 'LF-ENDPOINT-REDACT-PII': 'true, false' })).data).toEqual(redacted);
    expect((await gateway.post(query, { 'LF-ENDPOINT-REDACT-PII': 'false, true' })).data).toEqual(data);
  }
  expect(gateway.engine.runs).toHaveLength(1);
});

test('a failing call is reported each time, with the cached rows of the others', async () => {
  const gateway = await runCachedGraphql();
  gateway.engine.answer = ({ parameters }) => {
    if (parameters.get('project') === 'bad') throw new GatewayError('QUERY_FAILED', 'division by zero');
    return [row];
  };
  const text = '{ good: counts(project: "a") { n } bad: counts(project: "bad") { n } }';
  for (let round = 0; round < 5; round++) {
    const reply = await gateway.post(text);
    expect(reply.data).toEqual({ good: [{ n: '1' }], bad: null });
    expect(reply.errors).toMatchObject([{ path: ['bad'], extensions: { code: 'QUERY_FAILED' } }]);
    expect(reply.calls.map(({ path, cache }) => [path, cache.status])).toEqual([
      ['good', round === 0 ? 'MISS' : 'HIT'],
    ]);
  }
  expect(gateway.engine.runs).toHaveLength(1 + 5);
});

test('an operation with a call that is not cached is run each time', async () => {
  const gateway = await runCachedGraphql();
  gateway.engine.answer = () => [row];
  const text = '{ counts(project: "a") { n } live(project: "a") { n } }';
  for (let round = 0; round < 5; round++) {
    const { data: got, calls } = await gateway.post(text);
    expect(got).toEqual({ counts: [{ n: '1' }], live: [{ n: '1' }] });
    expect(gateway.engine.runs).toHaveLength(round + 2);
    expect(calls.find(({ path }) => path === 'live')?.cache).toEqual({
      status: 'BYPASS',
      collapsed: false,
      stored: false,
      ageSeconds: 0,
      ttlSeconds: 0,
    });
  }
});

test('what depends on the address that was called is of that address', async () => {
  const text = '{ counts(project: "a") { n } endpoint(name: "counts") { curl } }';
  const gateway = await withReadyAnswer(text);
  for (const host of ['one.example', 'two.example', 'one.example']) {
    await gateway.ready(text, { Host: host });
    expect((await gateway.post(text, { Host: host })).text).toContain(`http://${host}/api/`);
  }
});

test('a cached response is only for callers with access, and only for requests that GraphQL allows', async () => {
  const gateway = await withReadyAnswer();
  expect((await gateway.post(query, { 'X-API-KEY': 'other' })).status).toBe(401);
  expect((await gateway.post(query, { 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await gateway.post(query, { Authorization: 'Bearer other' })).status).toBe(401);
  expect((await gateway.post(query, { Authorization: 'Bearer key' })).data).toEqual(data);
});

test('a compressed body is answered as the same text is', async () => {
  const gateway = await withReadyAnswer();
  const executed = gateway.executed();
  const body = gzipSync(JSON.stringify({ query }));
  expect((await gateway.send(body, { 'Content-Encoding': 'gzip' })).data).toEqual(data);
  expect(gateway.executed()).toBe(executed);
});

test('a body that only begins as one that was answered, or is said to be compressed, is read as a whole', async () => {
  const gateway = await withReadyAnswer();
  expect((await gateway.post(query, { 'Content-Encoding': 'gzip' })).status).toBe(400);
  const body = JSON.stringify({ query });
  const socket = connect(gateway.port, '127.0.0.1').setNoDelay();
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: localhost:${gateway.port}\r\nX-API-KEY: key\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  socket.write('}');
  const [head] = await once(socket, 'data');
  socket.destroy();
  expect(String(head)).toMatch(/^HTTP\/1\.1 400 /);
});

test('a batch is answered from the cache, each operation separately', async () => {
  const gateway = await withReadyAnswer();
  const operations = [{ query }, { query: '{ live(project: "a") { n } }' }];
  const { text } = await gateway.send(JSON.stringify(operations));
  const statuses = JSON.parse(text).map(
    (each: { extensions: { gateway: { calls: { cache: { status: string } }[] } } }) =>
      each.extensions.gateway.calls.map(({ cache }) => cache.status),
  );
  expect(statuses).toEqual([['HIT'], ['BYPASS']]);
});

test.each([
  ['at once, with another request behind it', (head: string, body: string) => [head + body + head + body]],
  ['in pieces', (head: string, body: string) => [head, body.slice(0, 9), `${body.slice(9)}${head}${body}`]],
])('requests that come %s are answered in order', async (_what, pieces) => {
  const gateway = await withReadyAnswer();
  const executed = gateway.executed();
  const body = JSON.stringify({ query });
  const head = `POST /graphql HTTP/1.1\r\nHost: localhost:${gateway.port}\r\nX-API-KEY: key\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(gateway.port, '127.0.0.1').setNoDelay();
  let received = '';
  const done = Promise.withResolvers<void>();
  socket.on('data', (piece) => {
    received += piece.toString();
    if (received.split('"ttlSeconds"').length === 3 && received.endsWith('}}')) done.resolve();
  });
  for (const piece of pieces(head, body)) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await done.promise;
  socket.destroy();
  expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(gateway.executed()).toBe(executed);
});
