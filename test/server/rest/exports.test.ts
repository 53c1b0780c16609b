import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { AuthorisedCall } from '../../../src/calls/call/authorised-call.ts';
import type { Executor, Run } from '../../../src/calls/executor/executor.ts';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import type { Column } from '../../../src/sql/values/type.ts';
import type { Row } from '../../../src/sql/values/value.ts';
import { fakeExecutor, plainEndpoint, type RunningGateway, runGateway } from '../listener/running-gateway.ts';

const columns: readonly Column[] = [
  { name: 'n', type: { kind: 'INT64' } },
  { name: 'text', type: { kind: 'STRING' } },
];
const path = '/api/endpoints/query/export?format=csv';

/** A gateway with an exporting endpoint whose rows come from this generator. Its return says whether there were more. */
async function exporting(
  rows: (run: Run) => AsyncGenerator<readonly Row[], boolean>,
  options: Parameters<typeof runGateway>[0] = {},
) {
  const calls: AuthorisedCall[] = [];
  const executor = {
    ...fakeExecutor(),
    stream: (async (call, run, take) => {
      calls.push(call);
      await take({ columns });
      const parts = rows(run);
      for (;;) {
        const { done, value } = await parts.next();
        if (done) return { truncated: value, engineMs: 1 };
        await take({ columns, batch: columnsOfRows(columns, value) });
      }
    }) satisfies Executor['stream'],
  };
  const endpoint = { ...plainEndpoint, name: 'export', exportRows: 1_000_000 };
  const gateway = await runGateway({ ...options, executor, endpoints: endpointCatalog([endpoint]) });
  return { gateway, calls };
}

const someRows = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => [BigInt(index), 'a text of some length']);

/** Reads an answer to its end, however it ends. */
function read(gateway: RunningGateway, target = path, headers: Record<string, string> = {}) {
  return new Promise<{ complete: boolean; body: Buffer; trailers: NodeJS.Dict<string>; headers: object }>(
    (resolve, reject) => {
      const all = { 'X-API-KEY': 'key', ...headers };
      httpRequest({ port: gateway.port, path: target, headers: all, agent: false }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece) => pieces.push(piece));
        response.on('error', () => {});
        response.on('close', () =>
          resolve({
            complete: response.complete,
            body: Buffer.concat(pieces),
            trailers: response.trailers,
            headers: response.headers,
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('an export', () => {
  test('that is small has a length, an entity tag and a file name', async () => {
    const { gateway } = await exporting(async function* () {
      yield someRows(2);
      return true;
    });
    const reply = await gateway.call(path);
    expect(reply).toMatchObject({
      status: 200,
      body: 'n,text\r\n0,a text of some length\r\n1,a text of some length\r\n',
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename=export.csv',
        'x-result-truncated': 'true',
        'content-length': '58',
      },
    });
    const known = [['If-None-Match', reply.headers.etag ?? '']] as const;
    expect((await gateway.call(path, { headers: known })).status).toBe(304);
  });

  test('that is large is sent while it runs, and says at its end whether there were more rows', async () => {
    const { gateway } = await exporting(async function* () {
      for (let part = 0; part < 50; part++) yield someRows(1_000);
      return true;
    });
    const { complete, body, trailers, headers } = await read(gateway);
    expect(complete).toBe(true);
    expect(body.toString().split('\r\n')).toHaveLength(50_002);
    expect(trailers).toEqual({ 'x-result-truncated': 'true' });
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    const zipped = await read(gateway, path, { 'Accept-Encoding': 'gzip' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(gunzipSync(zipped.body).equals(body)).toBe(true);
  });

  test('that fails before its first bytes is an error', async () => {
    // biome-ignore lint/correctness/useYield: it fails at once
    const { gateway } = await exporting(async function* () {
      throw new GatewayError('QUERY_FAILED', 'Division by zero.');
    });
    expect(await gateway.call(path)).toMatchObject({
      status: 422,
      body: '{"error":"Division by zero.","code":"QUERY_FAILED"}',
    });
  });

  test('gets no rows if its key is revoked before they come', async () => {
    const caller: Caller = { name: 'owner', redact: false, scopes: everyScope };
    let isValid = true;
    const access = { authenticate: () => caller, isValid: () => isValid };
    const { gateway } = await exporting(
      async function* () {
        isValid = false;
        for (let part = 0; part < 50; part++) yield someRows(1_000);
        return false;
      },
      { access },
    );
    const { status, body } = await gateway.call(path);
    expect(status).toBe(401);
    expect(body).toContain('no longer valid');
  });

  test('that fails later ends without the end of its body', async () => {
    const { gateway } = await exporting(async function* () {
      for (let part = 0; part < 10; part++) yield someRows(1_000);
      throw new TypeError('a defect');
    });
    for (const format of ['csv', 'ndjson', 'arrow'])
      expect(await read(gateway, `/api/endpoints/query/export?format=${format}`)).toMatchObject({
        complete: false,
      });
    const logged = 'error: a request failed unexpectedly';
    expect(gateway.log.lines).toEqual([logged, logged, logged]);
    expect((await gateway.call('/livez')).status).toBe(200);
  });

  test('that fails later because of a defect is in the log once', async () => {
    const { gateway } = await exporting(async function* () {
      for (let part = 0; part < 10; part++) yield someRows(1_000);
      throw new TypeError('a defect');
    });
    expect(await read(gateway)).toMatchObject({ complete: false });
    await expect.poll(() => gateway.log.lines.length).toBe(1);
    expect((await gateway.call('/livez')).status).toBe(200);
    expect(gateway.log.lines).toHaveLength(1);
  });

  test.each([
    [
      new GatewayError('QUERY_FAILED', 'Bad int64 value: 10.1.2.3', {
        kind: 'The query failed on its data: Bad int64 value.',
      }),
      'The query failed on its data: Bad int64 value.',
    ],
    [
      new GatewayError('QUERY_FAILED', 'Bad: 10.1.2.3', { withoutValues: 'The query failed on its data.' }),
      'The query failed on its data.',
    ],
    [new GatewayError('QUERY_TIMEOUT', 'The export timed out.'), 'The export timed out.'],
  ])('that fails later because of its query is in the log with the reason: %s', async (error, reason) => {
    const { gateway } = await exporting(async function* () {
      for (let part = 0; part < 10; part++) yield someRows(1_000);
      throw error;
    });
    expect(await read(gateway)).toMatchObject({ complete: false });
    await expect.poll(() => gateway.log.lines).toEqual(['warn: an export failed after its first rows']);
    const said = { endpoint: 'export', code: error.code, reason, requestId: expect.any(String) };
    expect(gateway.log.fields).toEqual([said]);
  });

  test('ends when its client leaves', async () => {
    const left = Promise.withResolvers<void>();
    const { gateway } = await exporting(async function* ({ signal }) {
      signal.addEventListener('abort', () => left.resolve());
      for (;;) yield someRows(1_000);
    });
    const request = httpRequest({ port: gateway.port, path, headers: { 'X-API-KEY': 'key' }, agent: false });
    request.on('response', (response) => response.once('data', () => request.destroy()));
    request.on('error', () => {}).end();
    await left.promise;
  });

  test.each(['', 'gzip'])('logs no error when its client leaves without reading: %s', async (encoding) => {
    const ended = Promise.withResolvers<unknown>();
    const { gateway } = await exporting(async function* ({ signal }) {
      signal.addEventListener('abort', () => ended.resolve(signal.reason));
      for (;;) yield someRows(10_000);
    });
    const headers = { 'X-API-KEY': 'key', 'Accept-Encoding': encoding };
    const request = httpRequest({ port: gateway.port, path, headers, agent: false });
    request.on('response', (response) => {
      response.pause();
      setTimeout(() => request.destroy(), 100);
    });
    request.on('error', () => {}).end();
    await ended.promise;
    for (let calls = 0; calls < 3; calls++) await gateway.call('/livez');
    expect(gateway.log.lines).toEqual([]);
  });

  test('waits for a client that does not read', async () => {
    let parts = 0;
    const { gateway } = await exporting(async function* () {
      for (;;) {
        parts++;
        yield someRows(1_000);
      }
    });
    const request = httpRequest({ port: gateway.port, path, headers: { 'X-API-KEY': 'key' }, agent: false });
    request.on('response', (response) => response.pause()).on('error', () => {});
    request.end();
    let before = -1;
    // The system's own buffers hold some megabytes.
    while (parts !== before) {
      before = parts;
      await sleep(100);
    }
    expect(parts).toBeGreaterThan(0);
    request.destroy();
  });

  test('of JSON is an ordinary answer', async () => {
    const { gateway, calls } = await exporting(async function* () {
      yield someRows(1);
      return false;
    });
    expect((await gateway.call('/api/endpoints/query/export')).body).toBe('{"result":[]}');
    expect(calls).toEqual([]);
  });

  test('has no body for HEAD', async () => {
    const { gateway } = await exporting(async function* () {
      for (let part = 0; part < 50; part++) yield someRows(1_000);
      return false;
    });
    expect(await gateway.call(path, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });
});
