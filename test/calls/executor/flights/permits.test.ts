import { describe, expect, it } from 'vitest';
import { ownAccount } from '../../../../src/base/fairness/account.ts';
import type { Permit } from '../../../../src/calls/executor/flights/permit.ts';
import { Permits } from '../../../../src/calls/executor/flights/permits.ts';
import type { Seeker, Seekers } from '../../../../src/calls/executor/flights/seekers.ts';
import type { QueryClass } from '../../../../src/definitions/classes/query-class.ts';
import { callerNamed } from '../support/caller.ts';
import { ManualClock, settled } from '../support/manual-clock.ts';

const never = new AbortController().signal;
const usual: Seeker = {};
const background: Seeker = { class: 'background' };
const overloaded = { code: 'OVERLOADED', message: 'Too many queries are waiting' };

/** Permits, and who got one, in order; each gives it back at once. */
function setUp(limits: Partial<ConstructorParameters<typeof Permits>[0]> = {}) {
  const timers = new ManualClock(0);
  const clock = { now: 0, elapsed: () => clock.now, after: timers.after.bind(timers) };
  const permits = new Permits({ permits: 1, maxWaiting: 10, ...limits }, clock);
  const served: string[] = [];
  const waitWith = async (name: string, seekers: Seekers, ms = 0) => {
    using _permit = await permits.take(seekers);
    clock.now += ms;
    served.push(name);
  };
  const wait = (name: string, seeker: Seeker = usual, signal = never, ms = 0) =>
    waitWith(name, { waiters: [seeker], signal }, ms);
  const take = (seeker: Seeker = usual, signal = never) => permits.take({ waiters: [seeker], signal });
  return { clock, timers, permits, served, wait, waitWith, take };
}

/** A caller with a key, or with a token of this subject that was issued under it. */
function callerOf(key: string, subject = '', ofClass: QueryClass = 'default') {
  const caller = callerNamed(key);
  return { class: ofClass, caller: { ...caller, account: { ...caller.account, subject } } };
}

function giveBack(permit: Permit): void {
  permit[Symbol.dispose]();
}

describe('permits', () => {
  it('go to a class first that has used none, and to that of the most urgent waiter', async () => {
    const { take, wait, waitWith, served } = setUp();
    const first = await take(background);
    const awaited: Seekers = { waiters: [background], signal: never };
    const others = [
      wait('background', background),
      waitWith('awaited by now', awaited),
      wait('caller 1'),
      wait('caller 2'),
    ];
    awaited.onJoin?.(usual);
    giveBack(first);
    await Promise.all(others);
    expect(served).toEqual(['caller 1', 'caller 2', 'awaited by now', 'background']);
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
    const second = wait('second', usual, leaving.signal);
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
    const second = take(usual, leaving.signal);
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
    expect(permits.refusal(ownAccount)).toMatchObject(overloaded);
    await expect(take()).rejects.toMatchObject({
      ...overloaded,
      details: { retryAfterSeconds: 2 },
    });
    giveBack(first);
    await Promise.all(others);
  });

  it('are refused to those that have waited for too long, unless their work has begun', async () => {
    const { timers, take, wait, waitWith, served, permits } = setUp({
      ...{ maxWaiting: 3, classes: { default: { refusedAfterMs: 1_000 } } },
    });
    const first = await take();
    const begun = waitWith('begun', { waiters: [usual], signal: never, hasBegun: true });
    const late = wait('late').catch(({ code }) => served.push(code));
    await timers.advance(999);
    expect(permits.state.waiting).toBe(2);
    await timers.advance(1);
    expect([permits.state.waiting, ...served]).toEqual([1, 'OVERLOADED']);
    // It doesn't give way to others either, and a full queue takes it.
    const next = wait('next').catch(({ code }) => served.push(`next ${code}`));
    const more = waitWith('more', { waiters: [usual], signal: never, hasBegun: true });
    const other = wait('other', callerOf('other'));
    giveBack(first);
    await Promise.all([begun, late, next, more, other]);
    expect(served.slice(1).sort()).toEqual(['begun', 'more', 'next OVERLOADED', 'other']);
  });

  describe('of classes', () => {
    const classes = { interactive: { weight: 4 }, background: { permits: 1 } };

    it('are taken by each class in proportion to its weight, while several wait', async () => {
      const { take, wait, served } = setUp({ classes, maxWaiting: 20 });
      const first = await take();
      const light = ['i', 'd', 'b'] as const;
      const names = { i: 'interactive', d: 'default', b: 'background' } as const;
      const all = light.flatMap((letter) =>
        Array.from({ length: 8 }, () => wait(letter, { class: names[letter] }, never, 100)),
      );
      giveBack(first);
      await Promise.all(all);
      expect(served.slice(0, 12).toSorted().join('')).toBe('bbddiiiiiiii');
    });

    it('go to the most urgent class if none has used more', async () => {
      const { take, wait, served } = setUp({ classes });
      const first = await take();
      const all = [wait('b', background), wait('d'), wait('i', { class: 'interactive' })];
      giveBack(first);
      await Promise.all(all);
      expect(served).toEqual(['i', 'd', 'b']);
    });

    it('are not all taken by a class with a limit, whatever its load', async () => {
      const { take, wait, permits, served } = setUp({ permits: 2, classes });
      const first = await take(background);
      const waiting = [wait('b1', background), wait('b2', background)];
      await settled();
      expect(served).toEqual([]);
      expect(permits.areTaken).toBe(true);
      giveBack(await take({ class: 'interactive' }));
      expect(permits.taken).toBe(1);
      giveBack(first);
      await Promise.all(waiting);
    });

    it('come at once to a query of a class without free ones when a more urgent waiter joins', async () => {
      const { take, waitWith, served } = setUp({ permits: 2, classes });
      const first = await take(background);
      const shared: Seekers = { waiters: [background], signal: never };
      const waiting = waitWith('shared', shared);
      shared.onJoin?.({ class: 'interactive' });
      await waiting;
      expect(served).toEqual(['shared']);
      giveBack(first);
    });

    it('are refused by the queue of the class only', async () => {
      const { take, wait, permits } = setUp({ maxWaiting: 2, classes: { background: { maxWaiting: 1 } } });
      const { account } = callerOf('a').caller;
      const first = await take(callerOf('a'));
      const b1 = wait('b1', background);
      await expect(wait('b2', background)).rejects.toMatchObject(overloaded);
      expect(permits.refusal(ownAccount, 'background')).toMatchObject(overloaded);
      expect(permits.refusal(account)).toBeUndefined();
      const [a1, a2] = [wait('a1', callerOf('a')), wait('a2', callerOf('a'))];
      expect(permits.refusal(account)).toMatchObject(overloaded);
      expect(permits.refusal(account, 'interactive')).toBeUndefined();
      giveBack(first);
      await Promise.all([b1, a1, a2]);
    });

    it('are refused by how long a class waits behind the others', async () => {
      const { clock, take, wait } = setUp({
        ...{ maxWaiting: 100, maxWaitMs: 1000 },
        classes: { default: { weight: 10 }, background: { weight: 1 } },
      });
      for (const seeker of [usual, background]) {
        for (let run = 0; run < 100; run++) {
          const permit = await take(seeker);
          clock.now += 90;
          giveBack(permit);
        }
      }
      const first = await take();
      const callers = Array.from({ length: 10 }, (_, number) => wait(`${number}`));
      const b1 = wait('b1', background);
      await expect(wait('b2', background)).rejects.toMatchObject(overloaded);
      giveBack(first);
      await Promise.all([...callers, b1]);
    });

    describe.each(['interactive', 'default', 'background'] as const)('%s', (ofFlood) => {
      it.each(['interactive', 'default', 'background'] as const)(
        "go to another key's single %s query after one running query of a key with 1,000",
        async (ofOther) => {
          const { take, wait, served } = setUp({ classes, permits: 1, maxWaiting: 1000 });
          const flooding = callerOf('flood', '', ofFlood);
          const running = await take(flooding);
          const flood = Array.from({ length: 999 }, (_, number) => wait(`${number}`, flooding, never, 100));
          const single = wait('single', callerOf('other', '', ofOther), never, 10);
          giveBack(running);
          await Promise.all([...flood, single]);
          // What runs for the first time has no known cost.
          expect(served.indexOf('single')).toBeLessThanOrEqual(1);
        },
      );
    });

    it('have states of their own', async () => {
      const { take, wait, permits } = setUp({ classes: { background: { permits: 1, maxWaiting: 5 } } });
      const first = await take(background);
      const waiting = wait('b', background);
      expect(permits.state).toEqual({
        ...{ running: 1, waiting: 1, permits: 1 },
        classes: [
          { name: 'interactive', running: 0, waiting: 0, maxWaiting: 10 },
          { name: 'default', running: 0, waiting: 0, maxWaiting: 10 },
          { name: 'background', running: 1, waiting: 1, maxWaiting: 5 },
        ],
      });
      giveBack(first);
      await waiting;
    });
  });

  describe('of several keys', () => {
    it('go to a key without queries before those of a flood, whatever has come before', async () => {
      const { take, wait, served } = setUp();
      const first = await take(callerOf('a'));
      const all = [wait('a1', callerOf('a')), wait('a2', callerOf('a')), wait('b1', callerOf('b'))];
      giveBack(first);
      await Promise.all(all);
      expect(served).toEqual(['a1', 'b1', 'a2']);
    });

    it('are shared by time: many light queries come before the next slow one', async () => {
      const { clock, take, wait, served } = setUp();
      const first = await take(callerOf('a'));
      const slow = [1, 2].map((number) => wait(`a${number}`, callerOf('a'), never, 1000));
      const light = [1, 2, 3].map((number) => wait(`b${number}`, callerOf('b'), never, 10));
      clock.now += 1000;
      giveBack(first);
      await Promise.all([...slow, ...light]);
      expect(served).toEqual(['b1', 'b2', 'b3', 'a1', 'a2']);
    });

    it('are shared by the subjects of one key', async () => {
      const { clock, take, wait, served } = setUp();
      const first = await take(callerOf('a', 'x'));
      const all = [
        wait('x1', callerOf('a', 'x'), never, 100),
        wait('x2', callerOf('a', 'x'), never, 100),
        wait('y1', callerOf('a', 'y'), never, 100),
        wait('b1', callerOf('b'), never, 10),
        wait('b2', callerOf('b'), never, 10),
      ];
      clock.now += 100;
      giveBack(first);
      await Promise.all(all);
      expect(served).toEqual(['b1', 'b2', 'y1', 'x1', 'x2']);
    });

    it('come to those who wait together at the first turn of any of them', async () => {
      const { clock, take, wait, waitWith, served } = setUp();
      const first = await take(callerOf('a'));
      const shared: Seekers = { waiters: [callerOf('a')], signal: never };
      const all = [wait('a1', callerOf('a')), waitWith('shared', shared), wait('a2', callerOf('a'))];
      shared.onJoin?.(callerOf('b'));
      clock.now += 1000;
      giveBack(first);
      await Promise.all(all);
      expect(served).toEqual(['shared', 'a1', 'a2']);
    });

    it('are refused to the newest waiter of the key that has most, for a key that has fewer', async () => {
      const { take, wait, permits, served } = setUp({ maxWaiting: 2 });
      const first = await take(callerOf('a'));
      const [a1, a2] = [wait('a1', callerOf('a')), wait('a2', callerOf('a'))];
      await expect(wait('a3', callerOf('a'))).rejects.toMatchObject(overloaded);
      expect(permits.refusal(callerOf('a').caller.account)).toMatchObject(overloaded);
      expect(permits.refusal(callerOf('b').caller.account)).toBeUndefined();
      const b1 = wait('b1', callerOf('b'));
      await expect(a2).rejects.toMatchObject(overloaded);
      await expect(wait('b2', callerOf('b'))).rejects.toMatchObject(overloaded);
      const c1 = wait('c1', callerOf('c'));
      await expect(a1).rejects.toMatchObject(overloaded);
      await expect(wait('d1', callerOf('d'))).rejects.toMatchObject(overloaded);
      giveBack(first);
      await Promise.all([b1, c1]);
      expect(served).toEqual(['b1', 'c1']);
    });

    it('are refused to the newest waiter of the subject that has most, for a subject of the same key', async () => {
      const { take, wait } = setUp({ maxWaiting: 2 });
      const first = await take(callerOf('a', 'x'));
      const [x1, x2] = [wait('x1', callerOf('a', 'x')), wait('x2', callerOf('a', 'x'))];
      const y1 = wait('y1', callerOf('a', 'y'));
      await expect(x2).rejects.toMatchObject(overloaded);
      giveBack(first);
      await Promise.all([x1, y1]);
    });

    it('are refused by the expected wait of the account only', async () => {
      const { clock, take, wait, permits } = setUp({ maxWaiting: 100, maxWaitMs: 1000 });
      const run = async (key: string, ms: number) => {
        for (let count = 0; count < 100; count++) {
          const permit = await take(callerOf(key));
          clock.now += ms;
          giveBack(permit);
        }
      };
      await run('a', 900);
      await run('b', 10);
      const first = await take(callerOf('a'));
      const a1 = wait('a1', callerOf('a'));
      await expect(wait('a2', callerOf('a'))).rejects.toMatchObject(overloaded);
      const light = Array.from({ length: 20 }, (_, number) => wait(`b${number}`, callerOf('b')));
      expect(permits.refusal(callerOf('a').caller.account)?.details.retryAfterSeconds).toBeGreaterThan(1);
      giveBack(first);
      await Promise.all([a1, ...light]);
    });

    it('are added for keys without one, as far as there are extra ones', async () => {
      const { take, wait, permits, served } = setUp({ permits: 2, extra: 1, maxWaiting: 2 });
      const [a1, a2] = [await take(callerOf('a')), await take(callerOf('a'))];
      const a3 = wait('a3', callerOf('a'));
      expect(permits.refusal(callerOf('b').caller.account)).toBeUndefined();
      const b1 = await take(callerOf('b'));
      const b2 = wait('b2', callerOf('b'));
      await settled();
      expect(served).toEqual([]);
      giveBack(b1);
      // The extra permit is for a key without a running query, whose turn it isn't otherwise.
      await b2;
      expect(permits.taken).toBe(2);
      giveBack(a1);
      giveBack(a2);
      await a3;
    });

    it('are not added for a class that may not have all', async () => {
      const { take, wait, served } = setUp({ permits: 1, extra: 1, classes: { background: { permits: 1 } } });
      const a = await take(callerOf('a'));
      const warming = wait('warming', background);
      await settled();
      expect(served).toEqual([]);
      giveBack(a);
      await warming;
    });

    it('stay free in part, if the work is long', async () => {
      const { take, wait, permits, served } = setUp({ permits: 4, leavesFree: true });
      const ofA = [await take(callerOf('a')), await take(callerOf('a'))];
      const a3 = wait('a3', callerOf('a'));
      const b = await take(callerOf('b'));
      const c = await take(callerOf('c'));
      expect(permits.taken).toBe(4);
      giveBack(b);
      giveBack(c);
      await settled();
      expect(served).toEqual([]);
      for (const permit of ofA) giveBack(permit);
      await a3;
    });
  });
});
