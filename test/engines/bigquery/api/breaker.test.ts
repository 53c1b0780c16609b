import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { Breaker } from '../../../../src/engines/bigquery/api/breaker.ts';
import { ManualClock } from '../../../calls/executor/support/manual-clock.ts';
import { googleError, hang, json, ScriptedServer, text } from './support/scripted-server.ts';
import { quietLog, someCall, testApi, withoutCredentials } from './support/test-api.ts';

let clock: ManualClock;
let isUp: boolean;
let probes: number[];
let heard: boolean[];
let breaker: Breaker;

beforeEach(() => {
  clock = new ManualClock(0);
  isUp = false;
  probes = [];
  heard = [];
  breaker = new Breaker({
    async probe() {
      probes.push(clock.elapsed());
      if (!isUp) throw new Error('still down');
    },
    clock,
    random: () => 0.5,
    log: quietLog,
    meter: { attempt() {}, retry() {}, refused() {}, breaker: (isOpen) => heard.push(isOpen) },
  });
});
afterEach(() => breaker.close());

function count(failed: number, succeeded = 0): void {
  for (let call = 0; call < succeeded; call++) breaker.enter()(false);
  for (let call = 0; call < failed; call++) breaker.enter()(true);
}

function refusal(): GatewayError {
  try {
    breaker.enter();
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('it was let through');
}

test('opens at the fifth failure in ten seconds', () => {
  count(4);
  expect(breaker.isOpen).toBe(false);
  count(1);
  expect(refusal()).toMatchObject({ code: 'BACKEND_UNAVAILABLE', details: { retryAfterSeconds: 1 } });
  expect(heard).toEqual([true]);
});

test('stays closed while more than half of the calls succeed', () => {
  count(9, 10);
  expect(breaker.isOpen).toBe(false);
  count(1);
  expect(breaker.isOpen).toBe(true);
});

test('forgets failures after ten seconds', async () => {
  count(4);
  await clock.advance(11_000);
  count(4);
  expect(breaker.isOpen).toBe(false);
});

test('probes after one second, then ever later, up to ten seconds', async () => {
  count(5);
  await clock.advance(45_000);
  expect(probes).toEqual([1000, 3000, 7000, 15_000, 25_000, 35_000, 45_000]);
  expect(refusal().details.retryAfterSeconds).toBe(10);
  await clock.advance(4500);
  expect(refusal().details.retryAfterSeconds).toBe(6);
});

test('closes at the first successful probe, and starts counting again', async () => {
  count(5);
  isUp = true;
  await clock.advance(1000);
  expect(breaker.isOpen).toBe(false);
  expect(heard).toEqual([true, false]);
  count(4);
  expect(breaker.isOpen).toBe(false);
  await clock.advance(60_000);
  expect(probes).toHaveLength(1);
});

test('takes no notice of calls that began before it opened', async () => {
  const late = Array.from({ length: 5 }, () => breaker.enter());
  count(5);
  isUp = true;
  await clock.advance(1000);
  for (const report of late) report(true);
  expect(breaker.isOpen).toBe(false);
});

test('ends probing when it is closed down', async () => {
  count(5);
  breaker.close();
  await clock.advance(60_000);
  expect(probes).toEqual([]);
});

test('probing spreads', async () => {
  const waits = await Promise.all(
    [0, 0.999].map(async (share) => {
      const at: number[] = [];
      const ownClock = new ManualClock(0);
      const other = new Breaker({
        probe: async () => void at.push(ownClock.elapsed()),
        clock: ownClock,
        random: () => share,
        log: quietLog,
        meter: { attempt() {}, retry() {}, refused() {}, breaker() {} },
      });
      for (let call = 0; call < 5; call++) other.enter()(true);
      await ownClock.advance(2000);
      return at[0] ?? 0;
    }),
  );
  expect(waits[0]).toBe(750);
  expect(waits[1]).toBeCloseTo(1250, -1);
});

test('over HTTP: refuses without asking, probes by a dry run, and lets through again', async () => {
  withoutCredentials();
  const server = await new ScriptedServer().start();
  // Time for pauses stands still; requests have their own.
  const paused = new ManualClock();
  const api = testApi(server.url, { clock: paused });
  try {
    server.react(text('', 503));
    for (let call = 0; call < 5; call++) {
      await expect(api.call(someCall({ maxAttempts: 1 }))).rejects.toMatchObject({ status: 503 });
    }
    await expect(api.call(someCall())).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    expect(await api.pauseBeforeRetry(1, new AbortController().signal)).toBe(false);
    expect(server.seen).toHaveLength(5);

    // Not up yet: an error. Then a refusal that is about the question: BigQuery is there.
    await paused.advance(750);
    await expect.poll(() => server.seen).toHaveLength(6);
    expect(JSON.parse(server.seen[5]?.body ?? '')).toEqual({
      jobReference: {
        projectId: 'p',
        jobId: expect.stringMatching(/^endpoint-gateway-probe-[0-9a-f-]{36}$/),
      },
      configuration: { dryRun: true, query: { query: 'SELECT 1', useLegacySql: false } },
    });
    server.react(googleError(403, 'accessDenied'), json({ good: true }));
    await vi.waitFor(async () => {
      await paused.advance(1500);
      expect(server.seen).toHaveLength(7);
    });
    await expect.poll(() => api.call(someCall())).toEqual({ good: true });
  } finally {
    api.close();
    await server.stop();
    vi.unstubAllEnvs();
  }
});

test('over HTTP: closing ends a probe that hangs', async () => {
  withoutCredentials();
  const server = await new ScriptedServer().start();
  const paused = new ManualClock();
  const api = testApi(server.url, { clock: paused });
  try {
    server.react(text('', 503));
    for (let call = 0; call < 5; call++) await api.call(someCall({ maxAttempts: 1 })).catch(() => {});
    server.react(hang);
    await paused.advance(750);
    await expect.poll(() => server.seen).toHaveLength(6);
    api.close();
    await expect.poll(() => server.openConnections).toBe(0);
  } finally {
    await server.stop();
    vi.unstubAllEnvs();
  }
});
