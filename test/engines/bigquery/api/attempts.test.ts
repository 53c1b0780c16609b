import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { ApiError } from '../../../../src/engines/bigquery/api/api-error.ts';
import type { ApiMeter } from '../../../../src/engines/bigquery/api/api-meter.ts';
import type { ApiCall, BigQueryApi } from '../../../../src/engines/bigquery/api/big-query-api.ts';
import { createBigQueryApi } from '../../../../src/engines/bigquery/api/create-api.ts';
import {
  googleError,
  hang,
  json,
  type Reaction,
  reset,
  ScriptedServer,
  text,
} from './support/scripted-server.ts';
import { quietLog, someCall, testApi, withoutCredentials } from './support/test-api.ts';

let server: ScriptedServer;
beforeEach(async () => {
  withoutCredentials();
  server = await new ScriptedServer().start();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

/** A clock whose pauses are over at once, and written down. */
function pausesWrittenDown() {
  const pauses: number[] = [];
  const clock = {
    ...systemClock,
    async sleep(milliseconds: number, signal: AbortSignal) {
      signal.throwIfAborted();
      pauses.push(milliseconds);
    },
  };
  return { clock, pauses };
}

function apiWith(random: () => number, clock = systemClock): BigQueryApi {
  return createBigQueryApi({
    project: 'p',
    emulatorHost: server.url,
    isMetadataServerGiven: false,
    clock,
    random,
    log: quietLog,
  });
}

async function failure(api: BigQueryApi, call: ApiCall<unknown> = someCall()): Promise<ApiError> {
  const error = await api.call(call).catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error(`no ApiError: ${String(error)}`);
  return error;
}

test.for<[string, Reaction]>([
  ['429', text('', 429)],
  ['500', text('', 500)],
  ['502, from a proxy', text('<html>', 502)],
  ['503', googleError(503, 'serviceUnavailable')],
  ['500 internalError', googleError(500, 'internalError')],
  ['403 rateLimitExceeded', googleError(403, 'rateLimitExceeded')],
  ['400 jobRateLimitExceeded', googleError(400, 'jobRateLimitExceeded')],
  ['400 backendError', googleError(400, 'backendError')],
  ['a reset connection', reset],
])('is tried three times in all: %s', async ([, reaction]) => {
  server.react(reaction);
  expect(await failure(testApi(server.url))).toMatchObject({ attempts: 3 });
  expect(server.seen).toHaveLength(3);

  server.react(reaction, reaction, json({ good: true }));
  expect(await testApi(server.url).call(someCall())).toEqual({ good: true });
  expect(server.seen).toHaveLength(6);
});

test.for<[string, Reaction]>([
  ['400', googleError(400, 'invalidQuery')],
  ['401 without credentials', googleError(401, 'authError')],
  ['403', googleError(403, 'accessDenied')],
  ['403 quotaExceeded', googleError(403, 'quotaExceeded')],
  ['404', googleError(404, 'notFound')],
  ['409', googleError(409, 'duplicate')],
  ['499 stopped', googleError(499, 'stopped')],
  ['501', googleError(501, 'notImplemented')],
  ['504', text('', 504)],
  ["500 with a reason that won't change", googleError(500, 'bytesBilledLimitExceeded')],
  ['303', text('', 303)],
])('is tried once: %s', async ([, reaction]) => {
  server.react(reaction);
  await failure(testApi(server.url));
  expect(server.seen).toHaveLength(1);
});

test('an attempt without an answer is followed by another one, and its connection ends', async () => {
  server.react(hang, json({ good: true }));
  expect(await testApi(server.url).call(someCall({ attemptTimeoutMs: 400 }))).toEqual({ good: true });
  expect(server.seen).toHaveLength(2);
  expect(server.closedConnections).toBe(1);
});

test('every attempt sends the same', async () => {
  server.react(text('', 503));
  await failure(testApi(server.url), someCall({ method: 'POST', body: { jobId: 'x' } }));
  expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill('{"jobId":"x"}'));
});

test('a server that is not there is tried three times', async () => {
  const other = await new ScriptedServer().start();
  const { url } = other;
  await other.stop();
  expect(await failure(testApi(url))).toMatchObject({ name: 'NoAnswer', attempts: 3 });
});

test('a caller may want fewer attempts', async () => {
  server.react(text('', 503));
  await failure(testApi(server.url), someCall({ maxAttempts: 1 }));
  expect(server.seen).toHaveLength(1);
});

describe('pauses', () => {
  test('are anything up to a bound that doubles', async () => {
    server.react(text('', 503));
    for (const [share, expected] of [
      [0, [0, 0]],
      [0.5, [100, 200]],
      [0.999, [199.8, 399.6]],
    ] as const) {
      const { clock, pauses } = pausesWrittenDown();
      await failure(apiWith(() => share, clock));
      expect(pauses).toEqual(expected);
    }
  });

  test('are as long as Retry-After asks', async () => {
    server.react(googleError(429, 'rateLimitExceeded', { 'retry-after': '3' }), json({}));
    const { clock, pauses } = pausesWrittenDown();
    await apiWith(() => 0.5, clock).call(someCall());
    expect(pauses).toEqual([3100]);
  });

  test('are not begun when they would last until the deadline, or too long at all', async () => {
    server.react(googleError(503, 'backendError', { 'retry-after': '3' }));
    const { clock, pauses } = pausesWrittenDown();
    const deadline = clock.elapsed() + 2900;
    expect(
      await failure(
        apiWith(() => 0, clock),
        someCall({ deadline }),
      ),
    ).toMatchObject({ status: 503 });
    server.react(googleError(503, 'backendError', { 'retry-after': '31' }));
    await failure(apiWith(() => 0, clock));
    expect(pauses).toEqual([]);
    expect(server.seen).toHaveLength(2);
  });

  test('end when the caller leaves', async () => {
    server.react(googleError(503, 'backendError', { 'retry-after': '20' }));
    const leaving = new AbortController();
    const reason = new Error('enough');
    const call = testApi(server.url).call(someCall({ signal: leaving.signal }));
    await expect.poll(() => server.seen).toHaveLength(1);
    setTimeout(() => leaving.abort(reason), 20);
    await expect(call).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  test('are available for operations larger than a call', async () => {
    const { clock, pauses } = pausesWrittenDown();
    const api = apiWith(() => 0.5, clock);
    expect(await api.pauseBeforeRetry(2, new AbortController().signal)).toBe(true);
    expect(pauses).toEqual([200]);
    const reason = new Error('enough');
    await expect(api.pauseBeforeRetry(1, AbortSignal.abort(reason))).rejects.toBe(reason);

    const { signal } = new AbortController();
    const error = new ApiError(429, { reason: 'rateLimitExceeded', message: '' }, 4);
    expect(await api.pauseBeforeRetry(1, signal, { error })).toBe(true);
    expect(pauses).toEqual([200, 4100]);
    const deadline = clock.elapsed() + 4000;
    expect(await api.pauseBeforeRetry(1, signal, { error, deadline })).toBe(false);
  });
});

describe('the breaker', () => {
  const isOpen = async (api: BigQueryApi) =>
    (await api.call(someCall({ maxAttempts: 1 })).catch((error: unknown) => error)) instanceof GatewayError;

  test('counts a call with all its attempts once', async () => {
    server.react(text('', 503));
    const api = testApi(server.url);
    for (let round = 0; round < 4; round++) await failure(api);
    expect(server.seen).toHaveLength(12);
    await failure(api, someCall({ maxAttempts: 1 }));
    expect(await isOpen(api)).toBe(true);
    expect(server.seen).toHaveLength(13);
  });

  test('counts what a caller repeats once', async () => {
    server.react(text('', 503));
    const api = testApi(server.url);
    const { signal } = new AbortController();
    for (let attempt = 1; attempt <= 8; attempt++) {
      const error = await failure(api, someCall({ maxAttempts: 1 }));
      expect(await api.pauseBeforeRetry(1, signal, { error })).toBe(true);
    }
    expect(await isOpen(api)).toBe(false);
  });

  test('counts silence each time', async () => {
    server.react(hang);
    const api = testApi(server.url);
    const silent = someCall({ attemptTimeoutMs: 30 });
    await failure(api, silent);
    await failure(api, silent);
    expect(await isOpen(api)).toBe(true);
  });

  test('takes no answer about a call itself for a failure', async () => {
    server.react(googleError(500, 'bytesBilledLimitExceeded'));
    const api = testApi(server.url);
    for (let round = 0; round < 10; round++) await failure(api);
    expect(await isOpen(api)).toBe(false);
  });

  test('that opens in a pause makes it the last', async () => {
    server.react(text('', 503));
    const others = () => Array.from({ length: 4 }, () => failure(api, someCall({ maxAttempts: 1 })));
    let isFirst = true;
    const clock = {
      ...systemClock,
      async sleep(milliseconds: number, signal: AbortSignal) {
        if (!isFirst) return systemClock.sleep(milliseconds, signal);
        isFirst = false;
        await Promise.all(others());
      },
    };
    const api = apiWith(() => 0, clock);
    expect(await failure(api)).toMatchObject({ status: 503, attempts: 1 });
    expect(server.seen).toHaveLength(5);
  });

  test('lets an attempt of a call be its last', async () => {
    server.react(text('', 503));
    const api = testApi(server.url);
    for (let round = 0; round < 4; round++) await failure(api, someCall({ maxAttempts: 1 }));
    expect(await failure(api)).toMatchObject({ status: 503, attempts: 1 });
  });
});

describe('the retry budget', () => {
  test('of 300 calls that fail is a tenth of them', async () => {
    // An answer that doesn't make BigQuery count as down.
    server.react(googleError(403, 'rateLimitExceeded'));
    const api = testApi(server.url);
    await Promise.all(Array.from({ length: 300 }, () => failure(api)));
    expect(server.seen).toHaveLength(330);
    expect(await api.pauseBeforeRetry(1, new AbortController().signal)).toBe(false);
  });

  test('lets few calls be tried again as often as they may', async () => {
    server.react(googleError(403, 'rateLimitExceeded'));
    const api = testApi(server.url);
    for (let round = 0; round < 10; round++) await failure(api);
    expect(server.seen).toHaveLength(30);
    await failure(api);
    expect(server.seen).toHaveLength(31);
  });
});

test('attempts and retries are counted', async () => {
  const heard: string[] = [];
  const meter: ApiMeter = {
    attempt: (outcome) => heard.push(outcome),
    retry: () => heard.push('retry'),
    refused: () => heard.push('refused'),
    breaker: (isOpen) => heard.push(`breaker ${isOpen}`),
  };
  server.react(reset, text('', 503), json({}));
  await testApi(server.url, { meter }).call(someCall());
  expect(heard).toEqual(['no-answer', 'retry', 'error', 'retry', 'answer']);
});
