import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { MemoryGuard } from '../../../../src/engines/duckdb/guard/memory-guard.ts';
import { ResourcesExceeded } from '../../../../src/engines/duckdb/guard/resources-exceeded.ts';

const never = new AbortController().signal;

function guardOf(taken: { bytes: number; collectable?: number }, maxBytes = 1_000, intervalMs = 10) {
  let now = 0;
  const guard = new MemoryGuard({
    maxBytes: () => maxBytes,
    residentBytes: () => taken.bytes,
    collect: () => {
      taken.bytes -= taken.collectable ?? 0;
      taken.collectable = 0;
    },
    intervalMs,
    waitTimeoutMs: 20,
    elapsed: () => now,
  });
  return { guard, pass: (ms: number) => (now += ms) };
}

/** An interval within which no test ends: the guard checks only when `enforce` is called. */
const noCheckMs = 600_000;

/** Work that ends when it is told to. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('the query that has run longest is stopped, then the next, while the limit is exceeded', async () => {
  vi.useFakeTimers();
  const taken = { bytes: 900 };
  const { guard } = guardOf(taken);
  const ended: string[] = [];
  const run = (name: string) =>
    guard.run({ signal: never }, untilStopped).catch((error) => ended.push(`${name}: ${error.code}`));
  const [first, second] = [run('first'), run('second')];
  taken.bytes = 1_100;
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).toEqual(['first: OVERLOADED']);
  await vi.advanceTimersByTimeAsync(40);
  expect(ended).toEqual(['first: OVERLOADED', 'second: OVERLOADED']);
  await Promise.all([first, second]);
  vi.useRealTimers();
});

test('the further the limit is exceeded, the more queries are stopped at once', async () => {
  const taken = { bytes: 900e6 };
  const { guard } = guardOf(taken, 1e9, noCheckMs);
  const ended: number[] = [];
  const all = [1, 2, 3, 4].map((n) => guard.run({ signal: never }, untilStopped).catch(() => ended.push(n)));
  taken.bytes = 1_100e6;
  guard.enforce();
  await new Promise(setImmediate);
  expect(ended).toEqual([1, 2, 3]);
  guard.enforce();
  await Promise.all(all);
});

test('after stopping a query, the guard waits for one check before it stops the next', async () => {
  const taken = { bytes: 900 };
  const { guard } = guardOf(taken, 1_000, noCheckMs);
  const ended: number[] = [];
  const all = [1, 2].map((n) => guard.run({ signal: never }, untilStopped).catch(() => ended.push(n)));
  taken.bytes = 1_100;
  for (const expected of [[1], [1], [1, 2]]) {
    guard.enforce();
    await new Promise(setImmediate);
    expect(ended).toEqual(expected);
  }
  await Promise.all(all);
});

test('of the key with most queries, the one that has run longest is stopped: another key keeps its only one', async () => {
  const taken = { bytes: 900e6 };
  const { guard, pass } = guardOf(taken, 1e9, noCheckMs);
  const ended: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, key: string, subject = '') => {
    // It ends a while after it was stopped.
    const slow = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(name);
          ends.push(() => reject(signal.reason));
        });
      });
    return guard.run({ signal: never, account: { key, subject } }, slow).catch(() => {});
  };
  const all = [run('b', 'b'), run('a1', 'a', 'x'), run('a2', 'a', 'y'), run('a3', 'a', 'y')];
  taken.bytes = 1_010e6;
  guard.enforce();
  expect(ended).toEqual(['a2']);
  // However much is missing, the queries of one key end before another is stopped.
  taken.bytes = 1_900e6;
  guard.enforce();
  guard.enforce();
  expect(ended).toEqual(['a2', 'a3', 'a1']);
  pass(1_000);
  guard.enforce();
  expect(ended).toEqual(['a2', 'a3', 'a1', 'b']);
  for (const end of ends) end();
  await Promise.all(all);
});

test('of keys with one query each, that of the oldest is stopped, and the other only if that is not enough', async () => {
  const taken = { bytes: 900 };
  const { guard } = guardOf(taken, 1_000, noCheckMs);
  const ended: string[] = [];
  const all = ['a', 'b'].map((key) =>
    guard.run({ signal: never, account: { key, subject: '' } }, untilStopped).catch(() => ended.push(key)),
  );
  taken.bytes = 1_100;
  guard.enforce();
  await new Promise(setImmediate);
  expect(ended).toEqual(['a']);
  taken.bytes = 900;
  guard.enforce();
  taken.bytes = 1_100;
  guard.enforce();
  await Promise.all(all);
  expect(ended).toEqual(['a', 'b']);
});

const comeAgain = { code: 'OVERLOADED', details: { retryAfterSeconds: 1 } };
const exceeding = () => Promise.reject(new ResourcesExceeded('too much'));

test('of several stopped queries, none is blamed: the others may hold the memory', async () => {
  const taken = { bytes: 900e6 };
  const { guard } = guardOf(taken, 1e9);
  const ends = [1, 2, 3].map(() => guard.run({ signal: never }, untilStopped).catch((error) => error));
  taken.bytes = 1_200e6;
  guard.enforce();
  for (const end of await Promise.all(ends)) expect(end).toMatchObject(comeAgain);
});

test('a query without memory is blamed only if no other ran at the same time', async () => {
  const { guard } = guardOf({ bytes: 0 });
  const end = Promise.withResolvers<void>();
  const other = () => guard.run({ signal: never }, () => end.promise);
  const older = other();
  await expect(guard.run({ signal: never }, exceeding)).rejects.toMatchObject(comeAgain);
  const failing = () => Promise.reject(new GatewayError('QUERY_FAILED', 'division by zero'));
  await expect(guard.run({ signal: never }, failing)).rejects.toMatchObject({ code: 'QUERY_FAILED' });
  end.resolve();
  await older;
  await expect(guard.run({ signal: never }, exceeding)).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    message: 'too much',
  });
  const younger: Promise<void>[] = [];
  const meetsAnother = async () => {
    younger.push(other());
    await Promise.all(younger);
    return exceeding();
  };
  await expect(guard.run({ signal: never }, meetsAnother)).rejects.toMatchObject(comeAgain);
});

test('a query that began without free memory is not blamed either', async () => {
  const taken = { bytes: 1_100 };
  const { guard } = guardOf(taken);
  const running = guard.run({ signal: never }, untilStopped);
  guard.enforce();
  await expect(running).rejects.toMatchObject(comeAgain);
});

test('work that blocks the event loop can have the query stopped at once', async () => {
  const taken = { bytes: 900 };
  const { guard } = guardOf(taken);
  guard.enforce();
  const running = guard.run({ signal: never }, untilStopped);
  guard.enforce();
  taken.bytes = 1_100;
  guard.enforce();
  await expect(running).rejects.toMatchObject({ code: 'QUERY_FAILED' });
});

test('garbage is collected before the limit is reached', async () => {
  vi.useFakeTimers();
  const taken = { bytes: 950, collectable: 300 };
  const { guard } = guardOf(taken);
  const leaving = new AbortController();
  const running = guard.run({ signal: leaving.signal }, untilStopped).catch(() => 'ended');
  await vi.advanceTimersByTimeAsync(10);
  expect(taken.bytes).toBe(650);
  leaving.abort();
  await running;
  vi.useRealTimers();
});

test('after work that leaves much garbage, it is collected if little memory is free', () => {
  const plenty = { bytes: 100, collectable: 50 };
  guardOf(plenty, 1_000_000_000).guard.relieve();
  expect(plenty.bytes).toBe(100);
  const little = { bytes: 950, collectable: 300 };
  guardOf(little).guard.relieve();
  expect(little.bytes).toBe(650);
});

test('new queries wait while others hold all memory', async () => {
  const taken = { bytes: 1_100 };
  const { guard } = guardOf(taken);
  const leaving = new AbortController();
  const alone = guard.run({ signal: leaving.signal }, untilStopped).catch(() => 'ended');
  await expect(guard.run({ signal: never }, untilStopped)).rejects.toMatchObject({ code: 'OVERLOADED' });
  taken.bytes = 900;
  const beside = guard.run({ signal: leaving.signal }, untilStopped).catch(() => 'ended');
  leaving.abort();
  expect(await Promise.all([alone, beside])).toEqual(['ended', 'ended']);
});

test('a query that arrives meanwhile waits for memory, and is not blamed for what it needs then', async () => {
  const taken = { bytes: 1_100 };
  const { guard } = guardOf(taken);
  const end = Promise.withResolvers<void>();
  const first = guard.run({ signal: never }, () => end.promise);
  const second = guard.run({ signal: never }, async () => {
    throw new ResourcesExceeded('too much');
  });
  taken.bytes = 900;
  await expect(second).rejects.toMatchObject({ code: 'OVERLOADED' });
  end.resolve();
  await first;
});

test('new queries wait for a stopped query to end: they would be stopped for its memory', async () => {
  const taken = { bytes: 900 };
  const { guard } = guardOf(taken);
  const end = Promise.withResolvers<void>();
  const stopped = guard.run({ signal: never }, () => end.promise);
  taken.bytes = 1_100;
  guard.enforce();
  await expect(guard.run({ signal: never }, untilStopped)).rejects.toMatchObject({ code: 'OVERLOADED' });
  end.resolve();
  await stopped;
  expect(await guard.run({ signal: never }, async () => 'done')).toBe('done');
});

test('callers who leave are not waited for, and completed queries leave nothing behind', async () => {
  vi.useFakeTimers();
  const { guard } = guardOf({ bytes: 0 });
  const leaving = new AbortController();
  expect(await guard.run({ signal: leaving.signal }, async () => 'done')).toBe('done');
  expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  leaving.abort('gone');
  const reason = (signal: AbortSignal) => Promise.resolve(signal.reason);
  expect(await guard.run({ signal: leaving.signal }, reason)).toBe('gone');
  vi.useRealTimers();
});

test('garbage is collected before queries are stopped', async () => {
  vi.useFakeTimers();
  const taken = { bytes: 1_100, collectable: 200 };
  const { guard } = guardOf(taken);
  let outcome = 'runs';
  const leaving = new AbortController();
  const running = guard
    .run({ signal: leaving.signal }, untilStopped)
    .catch((error) => (outcome = String(error)));
  await vi.advanceTimersByTimeAsync(100);
  expect(outcome).toBe('runs');
  leaving.abort('gone');
  await running;
  expect(outcome).toBe('gone');
  vi.useRealTimers();
});

test('one vector may use a part of the free memory, after a collection if necessary, but not any amount', () => {
  const taken = { bytes: 900, collectable: 0 };
  const { guard, pass } = guardOf(taken);
  expect(guard.hasRoom(25)).toBe(true);
  expect(guard.hasRoom(26)).toBe(false);
  taken.collectable = 100;
  expect(guard.hasRoom(26)).toBe(false);
  pass(1_000);
  expect(guard.hasRoom(26)).toBe(true);
  expect(guard.hasRoom(10 ** 9)).toBe(false);
});

test('claimed memory counts until it appears in the process’s memory', async () => {
  vi.useFakeTimers();
  const { guard } = guardOf({ bytes: 0 }, 100e6);
  expect(guard.hasRoom(20e6)).toBe(true);
  expect(guard.hasRoom(21e6)).toBe(false);
  expect(guard.hasRoom(20e6, 1)).toBe(true);
  await vi.advanceTimersByTimeAsync(50);
  expect(guard.hasRoom(25e6)).toBe(true);
  vi.useRealTimers();
});

test('released chunks of rows are freed after every few megabytes', () => {
  let collections = 0;
  const guard = new MemoryGuard({
    maxBytes: () => 1e9,
    residentBytes: () => 0,
    collect: () => {},
    collectYoung: () => collections++,
  });
  for (let i = 0; i < 10; i++) guard.releasedRows(3_000_000);
  expect(collections).toBe(3);
});
