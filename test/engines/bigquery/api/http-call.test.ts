import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ApiError, NoAnswer } from '../../../../src/engines/bigquery/api/api-error.ts';
import {
  googleError,
  hang,
  json,
  type Reaction,
  reset,
  ScriptedServer,
  text,
} from './support/scripted-server.ts';
import { someCall, testApi, withoutCredentials } from './support/test-api.ts';

let server: ScriptedServer;
beforeEach(async () => {
  withoutCredentials();
  server = await new ScriptedServer().start();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

async function failure(call = someCall({ maxAttempts: 1 })): Promise<ApiError> {
  const error = await testApi(server.url)
    .call(call)
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error(`no ApiError: ${String(error)}`);
  return error;
}

describe('a request', () => {
  test('is JSON in UTF-8, texts as they are, under /bigquery/v2', async () => {
    const body = { query: "SELECT '{{projectId}} ä'", nothing: null };
    await testApi(server.url).call(
      someCall({ method: 'POST', path: '/projects/p/queries', query: { pageToken: 'a+/=&b' }, body }),
    );
    const [seen] = server.seen;
    expect(seen?.method).toBe('POST');
    expect(seen?.url).toBe('/bigquery/v2/projects/p/queries?pageToken=a%2B%2F%3D%26b');
    expect(JSON.parse(seen?.body ?? '')).toEqual(body);
    expect(seen?.headers['content-type']).toBe('application/json');
    expect(seen?.headers['user-agent']).toMatch(/^endpoint-gateway\/\S+ \(gzip\) google-api-nodejs-client\//);
    expect(seen?.headers.authorization).toBeUndefined();
  });

  test("goes to the path that the server's URL has", async () => {
    await testApi(`${server.url}/other/v2/`).call(someCall());
    expect(server.seen[0]?.url).toBe('/other/v2/projects/p/jobs/j');
  });

  test('to this machine takes no proxy', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    vi.stubEnv('NO_PROXY', '');
    expect(await testApi(server.url).call(someCall())).toEqual({});
  });

  test('keeps its connection for the next one', async () => {
    const api = testApi(server.url);
    for (let round = 0; round < 3; round++) await api.call(someCall());
    expect(server.closedConnections + server.openConnections).toBe(1);
  });
});

describe('an answer', () => {
  test('is read by its form, more than that allowed', async () => {
    server.react(json({ kind: 'bigquery#job', id: 'x' }));
    const answer = await testApi(server.url).call(someCall({ answer: z.object({ id: z.string() }) }));
    expect(answer).toEqual({ id: 'x' });
  });

  test('may be compressed', async () => {
    server.react((response, { headers }) => {
      expect(headers['accept-encoding']).toContain('gzip');
      text(gzipSync('{"id":"x"}'), 200, { 'content-encoding': 'gzip' })(response, server.seen[0] as never);
    });
    expect(await testApi(server.url).call(someCall())).toEqual({ id: 'x' });
  });

  test('of another form is an error that names the field', async () => {
    server.react(json({ id: 7 }));
    const error = await failure(someCall({ answer: z.object({ id: z.string() }) }));
    expect(error).not.toBeInstanceOf(NoAnswer);
    expect(error.status).toBeUndefined();
    expect(error.message).toContain('id: ');
    expect(server.seen).toHaveLength(1);
  });

  test.for<[string, Reaction]>([
    ['HTML', text('<html>Hello</html>', 200, { 'content-type': 'text/html' })],
    ['not UTF-8', text(Buffer.from('{"a":"\xff"}', 'latin1'))],
    [
      'more than 64 MB, however small on the wire',
      text(gzipSync(Buffer.alloc(65 * 2 ** 20, 32)), 200, { 'content-encoding': 'gzip' }),
    ],
  ])('is an error, not tried again: %s', async ([, reaction]) => {
    server.react(reaction);
    const error = await failure(someCall({ attemptTimeoutMs: 60_000 }));
    expect(error).not.toBeInstanceOf(NoAnswer);
    expect(error.status).toBeUndefined();
    expect(server.seen).toHaveLength(1);
  });

  test.for<[string, Reaction]>([
    [
      'cut before its length',
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"a":');
        setImmediate(() => response.socket?.destroy());
      },
    ],
    [
      'cut between chunks',
      (response) => {
        response.writeHead(200);
        response.write('{"a":1}');
        setImmediate(() => response.socket?.destroy());
      },
    ],
    [
      'reset within the body',
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"a":');
        setImmediate(() => response.socket?.resetAndDestroy());
      },
    ],
    ['cut with a length that fits', text('{"rows":[{"f":[{"v":"1"}')],
    ['empty', text('')],
    [
      'compressed and cut',
      text(gzipSync(JSON.stringify({ a: 'b'.repeat(1000) })).subarray(0, 25), 200, {
        'content-encoding': 'gzip',
      }),
    ],
    ['none: the connection is reset', reset],
  ])('counts as none, and may be asked for again: %s', async ([, reaction]) => {
    server.react(reaction, json({ a: 'whole' }));
    expect(await testApi(server.url).call(someCall())).toEqual({ a: 'whole' });
    expect(server.seen).toHaveLength(2);
    server.react(reaction);
    expect(await failure()).toBeInstanceOf(NoAnswer);
  });

  test('that never comes times out, and its connection is closed', async () => {
    server.react(hang);
    const error = await failure(someCall({ attemptTimeoutMs: 30, maxAttempts: 1 }));
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error.message).toBe('no answer within 30 ms');
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test('that stops in the middle times out, and its connection is closed', async () => {
    server.react((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
    });
    expect(await failure(someCall({ attemptTimeoutMs: 50, maxAttempts: 1 }))).toBeInstanceOf(NoAnswer);
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test('without an end is aborted, and its connection closed', async () => {
    server.react((response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(2 ** 20, 32);
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    expect((await failure()).message).toContain('more than');
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test('whose caller leaves is not waited for, and the connection ends', async () => {
    server.react(hang);
    const leaving = new AbortController();
    const answer = testApi(server.url).call(someCall({ signal: leaving.signal }));
    await expect.poll(() => server.seen).toHaveLength(1);
    const reason = new Error('enough');
    leaving.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect.poll(() => server.openConnections).toBe(0);
    expect(server.seen).toHaveLength(1);
  });

  test('is not made for a caller who has already left', async () => {
    const reason = new Error('enough');
    await expect(testApi(server.url).call(someCall({ signal: AbortSignal.abort(reason) }))).rejects.toBe(
      reason,
    );
    expect(server.seen).toHaveLength(0);
  });

  test('is not looked for elsewhere', async () => {
    server.react(text('', 307, { location: `${server.url}/elsewhere` }));
    expect(await failure()).toMatchObject({ status: 307 });
    expect(server.seen).toHaveLength(1);
  });
});

describe('an error', () => {
  test('says what BigQuery says', async () => {
    server.react(googleError(400, 'invalidQuery'));
    expect(await failure()).toMatchObject({
      status: 400,
      proto: { reason: 'invalidQuery', message: 'about invalidQuery', location: 'q' },
      attempts: 1,
    });
  });

  test.for<[string, Reaction]>([
    ['HTML', text('<html>Bad gateway</html>', 404)],
    ['nothing', text('', 404)],
    ['JSON of another form', json({ error: 'invalid_grant' }, 404)],
    [
      'a cut body',
      (response) => {
        response.writeHead(404, { 'content-length': '100' });
        response.write('{');
        setImmediate(() => response.socket?.destroy());
      },
    ],
  ])('keeps its status when its body is %s', async ([, reaction]) => {
    server.react(reaction);
    expect(await failure()).toMatchObject({ status: 404, proto: { reason: '' } });
    expect(server.seen).toHaveLength(1);
  });

  test('without a list of errors has its message', async () => {
    server.react(json({ error: { code: 403, message: 'No.', status: 'PERMISSION_DENIED' } }, 403));
    expect(await failure()).toMatchObject({ status: 403, proto: { reason: '', message: 'No.' } });
  });

  test.for<[string, () => string, number | undefined]>([
    ['seconds', () => '2', 2],
    ['a date', () => new Date(Date.now() + 60_000).toUTCString(), 60],
    ['neither', () => 'soon', undefined],
  ])('says when to come back: %s', async ([, header, seconds]) => {
    server.react(googleError(503, 'backendError', { 'retry-after': header() }));
    const { retryAfterSeconds } = await failure();
    if (seconds === undefined) expect(retryAfterSeconds).toBeUndefined();
    else expect(Math.abs((retryAfterSeconds ?? 0) - seconds)).toBeLessThanOrEqual(5);
  });
});
