import { describe, expect, it } from 'vitest';
import { type Permit, Permits } from '../../src/executor/permits.ts';
import { settled } from './support/manual-clock.ts';

const never = new AbortController().signal;
const urgent = () => true;
const background = () => false;
const overloaded = { code: 'OVERLOADED', message: 'Too many queries are waiting' };

/** Permits, and who got one, in order; each gives it back at once. */
function setUp(limits: { permits?: number; maxWaiting?: number; maxWaitMs?: number } = {}) {
  const clock = { now: 0, elapsed: () => clock.now };
  const permits = new Permits({ permits: 1, maxWaiting: 10, ...limits }, clock);
  const served: string[] = [];
  const wait = async (name: string, isForeground = urgent, signal = never) => {
    using _permit = await permits.take(isForeground, signal);
    served.push(name);
  };
  return { clock, permits, served, wait, take: () => permits.take(urgent, never) };
}

function giveBack(permit: Permit): void {
  permit[Symbol.dispose]();
}

describe('permits', () => {
  it('go to callers first, in order of arrival, and then to what nobody waits for', async () => {
    const { take, wait, served } = setUp();
    const first = await take();
    let isAwaited = false;
    const others = [
      wait('background', background),
      wait('awaited by now', () => isAwaited),
      wait('caller 1'),
      wait('caller 2'),
    ];
    isAwaited = true;
    giveBack(first);
    await Promise.all(others);
    expect(served).toEqual(['awaited by now', 'caller 1', 'caller 2', 'background']);
  });

  it('are given back once, however often they are disposed of', async () => {
    const { take, permits } = setUp({ permits: 2 });
    const [first, second] = [await take(), await take()];
    giveBack(first);
    giveBack(first);
    expect(permits.taken).toBe(1);
    giveBack(second);
    expect(permits.taken).toBe(0);
  });

  it('that were handed over are released by their new holder', async () => {
    const { take, permits } = setUp();
    const first = await take();
    const second = first.handOver();
    giveBack(first);
    expect(permits.taken).toBe(1);
    expect(first.handOver()).toBeUndefined();
    second?.[Symbol.dispose]();
    expect(permits.taken).toBe(0);
  });

  it('are not taken by a waiter that has left, which frees its place in the queue', async () => {
    const { take, wait, served } = setUp({ maxWaiting: 1 });
    const first = await take();
    const leaving = new AbortController();
    const second = wait('second', urgent, leaving.signal);
    await expect(wait('refused')).rejects.toMatchObject({ ...overloaded, details: { retryAfterSeconds: 1 } });
    leaving.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    const third = wait('third');
    giveBack(first);
    await third;
    expect(served).toEqual(['third']);
  });

  it('are taken only once when a waiter leaves as it gets one', async () => {
    const { take, wait, permits } = setUp();
    const first = await take();
    const leaving = new AbortController();
    const second = permits.take(urgent, leaving.signal);
    const third = wait('third');
    giveBack(first);
    leaving.abort(new Error('gone'));
    giveBack(await second);
    await third;
    expect(permits.taken).toBe(0);
  });

  it('are refused if the expected wait is too long', async () => {
    const { clock, take, permits, wait } = setUp({ maxWaiting: 100, maxWaitMs: 1_000 });
    for (let run = 0; run < 100; run++) {
      const permit = await take();
      clock.now += 300;
      giveBack(permit);
    }
    const first = await take();
    const others = Array.from({ length: 3 }, (_, i) => wait(`${i}`));
    expect(permits.refusal).toMatchObject(overloaded);
    await expect(take()).rejects.toMatchObject({
      ...overloaded,
      details: { retryAfterSeconds: 2 },
    });
    giveBack(first);
    await Promise.all(others);
  });

  it('are refused to what nobody waits for rather than to a caller', async () => {
    const { take, wait, permits, served } = setUp({ maxWaiting: 1 });
    const first = await take();
    const refreshing = wait('background', background);
    expect(permits.refusal).toBeUndefined();
    const caller = wait('caller');
    await expect(refreshing).rejects.toMatchObject(overloaded);
    await expect(wait('background', background)).rejects.toMatchObject(overloaded);
    expect(permits.refusal).toMatchObject(overloaded);
    giveBack(first);
    await caller;
    await settled();
    expect(served).toEqual(['caller']);
    expect(permits.refusal).toBeUndefined();
    expect(permits.taken).toBe(0);
  });
});
