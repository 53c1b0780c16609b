import { describe, expect, it } from 'vitest';
import type { Payer } from '../../../../src/calls/access/caller/caller.ts';
import { AllowanceSpent } from '../../../../src/calls/executor/allowances/allowance-spent.ts';
import type { OwnCount, SharedCount } from '../../../../src/calls/executor/allowances/shared-spending.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import { callOf } from '../../../support/call-of.ts';
import { callerNamed } from '../support/caller.ts';
import { endpointWith } from '../support/endpoint.ts';
import { settled } from '../support/manual-clock.ts';
import { type SetUpParts, setUp } from '../support/setup.ts';
import { SharedMemory } from '../support/shared-memory.ts';

const ada = callerNamed('ada');
const bob = callerNamed('bob');
const costOf = (bytesBilled: number) => ({
  bytesProcessed: 2 * bytesBilled,
  bytesBilled,
  slotMs: 3,
  engineCacheHit: bytesBilled === 0,
});

/** Runs are answered at once and cost 600 bytes, unless the test says otherwise. */
function withBudgets(settings: Partial<Endpoint>, keyBytesPerDay?: number, parts: SetUpParts = {}) {
  const set = setUp({ ...parts, settings: { bigqueryKeyBytesPerDay: keyBytesPerDay } });
  set.engine.answer = () => [[1n]];
  set.engine.cost = costOf(600);
  const endpoint = endpointWith({ cacheSeconds: 0, ...settings });
  const { signal } = new AbortController();
  const ask = (project: string, caller?: Payer) => set.ask(endpoint, { project }, signal, caller);
  return { ...set, endpoint, ask };
}

/** Of an endpoint. */
const spent = { code: 'COST_LIMIT_EXCEEDED' };
/** Of a key. */
const exhausted = { code: 'ALLOWANCE_EXHAUSTED', status: 429 };

describe('the budget of an endpoint', () => {
  it('lets queries run until it is reached, and says when to come again', async () => {
    const { ask, engine, clock } = withBudgets({ maxBytesPerDay: 1200 });
    await clock.advance(23 * 3_600_000);
    await ask('a');
    await ask('b');
    const refused = await ask('c').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AllowanceSpent);
    expect(refused).toMatchObject({
      ...spent,
      message:
        'The endpoint "counts" has used 1,200 of its 1,200 bytes billed a day. It has more from 2026-01-02T00:00:00Z.',
      details: { retryAfterSeconds: 3600 },
    });
    expect(engine.runs).toHaveLength(2);
  });

  it('is charged what was read where the engine does not say what it billed', async () => {
    const { ask, engine } = withBudgets({ maxBytesPerDay: 500 });
    engine.cost = { bytesProcessed: 500, engineCacheHit: false };
    await ask('a');
    await expect(ask('b')).rejects.toMatchObject(spent);
  });

  it('is there again on the next day (UTC)', async () => {
    const { ask, clock } = withBudgets({ maxBytesPerDay: 1 });
    await ask('a');
    await expect(ask('b')).rejects.toMatchObject(spent);
    await clock.advance(86_400_000 - 1);
    await expect(ask('b')).rejects.toMatchObject(spent);
    await clock.advance(1);
    await ask('b');
  });

  it('is not about other endpoints, and not about what costs nothing', async () => {
    const { ask, engine, executor, endpoint } = withBudgets({ maxBytesPerDay: 1 });
    engine.cost = costOf(0);
    for (const project of ['a', 'b', 'c']) await ask(project);
    engine.cost = undefined;
    await ask('d');
    engine.cost = costOf(5);
    await ask('e');
    await expect(ask('f')).rejects.toMatchObject(spent);
    const other = { ...endpoint, id: '00000000-0000-4000-8000-000000000002' };
    const parameters = new Map([['project', 'a']]);
    await executor.execute(callOf({ endpoint: other, parameters }), { signal: new AbortController().signal });
  });

  it('lets cached answers go on, and no estimates be refused', async () => {
    const { ask, engine, executor, endpoint } = withBudgets({ maxBytesPerDay: 1, cacheSeconds: 60 });
    await ask('a');
    expect((await ask('a')).cache.status).toBe('hit');
    await expect(ask('b')).rejects.toMatchObject(spent);
    const call = callOf({ endpoint, parameters: new Map([['project', 'a']]) });
    const { signal } = new AbortController();
    expect(await executor.estimate(call, { signal })).toEqual({ bytesProcessed: 1000 });
    expect(engine.runs).toHaveLength(1);
  });

  it('is not a failure in whose place older rows may stand', async () => {
    const { ask, clock } = withBudgets({ maxBytesPerDay: 1, cacheSeconds: 60, staleIfErrorSeconds: 600 });
    await ask('a');
    await clock.advance(61_000);
    await expect(ask('a')).rejects.toMatchObject(spent);
  });

  it('counts what was billed before it was set', async () => {
    const { ask, endpoint, executor } = withBudgets({});
    await ask('a');
    const limited = { ...endpoint, maxBytesPerDay: 600 };
    const call = callOf({ endpoint: limited, parameters: new Map([['project', 'b']]) });
    const { signal } = new AbortController();
    await expect(executor.execute(call, { signal })).rejects.toMatchObject(spent);
  });
});

describe('the budget of a key', () => {
  it('is its own', async () => {
    const { ask, engine } = withBudgets({}, 1000);
    await ask('a', ada);
    await ask('b', ada);
    await expect(ask('c', ada)).rejects.toThrow(
      'The key "ada" has used 1,200 of its 1,000 bytes billed a day. It has more from 2026-01-02T00:00:00Z.',
    );
    await ask('c', bob);
    await expect(ask('d', callerNamed('bob', { bytesPerDay: 600 }))).rejects.toMatchObject(exhausted);
    await ask('d', callerNamed('ada', { bytesPerDay: 10_000 }));
    await ask('e');
    expect(engine.runs).toHaveLength(5);
  });

  it('is spent by the tokens that were issued under the key, beside their own', async () => {
    const { ask, engine } = withBudgets({});
    const issuer = callerNamed('frontend', { bytesPerDay: 1200 });
    const bearer = (key: string) => callerNamed(key, { bytesPerDay: 600, issuer });
    await ask('a', bearer('token:alice'));
    await expect(ask('b', bearer('token:alice'))).rejects.toThrow('"token:alice"');
    await ask('b', bearer('token:bob'));
    await expect(ask('c', bearer('token:carol'))).rejects.toThrow('The key "frontend"');
    expect(engine.runs).toHaveLength(2);
  });

  it('may be nothing at all', async () => {
    const { ask, engine } = withBudgets({}, 0);
    await expect(ask('a', ada)).rejects.toMatchObject(exhausted);
    expect(engine.runs).toHaveLength(0);
  });
});

describe('callers with identical calls', () => {
  /** An executor whose one turn is taken: what is asked waits until the test lets go. */
  async function waiting(keyBytesPerDay: number, settings: Partial<Endpoint> = {}) {
    const set = withBudgets(settings, keyBytesPerDay, {});
    await set.ask('spends', ada);
    set.engine.answer = undefined;
    return set;
  }

  it("run on the budget of the first caller with some left, with that caller's labels", async () => {
    const set = await waiting(600, { labels: [{ key: 'who' }] });
    const { executor, endpoint, engine } = set;
    const parameters = new Map([['project', 'x']]);
    const { signal } = new AbortController();
    const call = (key: string) =>
      executor.execute(callOf({ endpoint, parameters, payer: callerNamed(key, { labels: `who=${key}` }) }), {
        signal,
      });
    const calls = [call('ada'), call('bob'), call('cy')];
    await settled();
    expect(engine.runs).toHaveLength(2);
    expect(engine.latest.request.job.labels).toEqual(new Map([['who', 'bob']]));
    engine.latest.succeed([[2n]]);
    for (const result of await Promise.all(calls)) expect(await result.rows.all()).toEqual([[2n]]);
    engine.answer = () => [[1n]];
    await expect(set.ask('y', bob)).rejects.toMatchObject(exhausted);
    await set.ask('y', callerNamed('cy'));
  });

  it('each get the error of their own budget when none has any left', async () => {
    const { ask, engine } = await waiting(600);
    engine.answer = () => [[1n]];
    await ask('b', bob);
    const outcomes = await Promise.allSettled([ask('x', ada), ask('x', bob)]);
    expect(outcomes).toMatchObject([
      { reason: { message: expect.stringContaining('"ada"') } },
      { reason: { message: expect.stringContaining('"bob"') } },
    ]);
    expect(engine.runs).toHaveLength(2);
  });

  it('join a run under way though they have no budget left', async () => {
    const { ask, engine } = await waiting(600);
    const first = ask('x', bob);
    await settled();
    const second = ask('x', ada);
    await settled();
    engine.latest.succeed([[3n]]);
    expect(await (await second).rows.all()).toEqual([[3n]]);
    expect((await first).cost).toEqual((await second).cost);
  });

  it('with budget left are not refused along with one without, even if they join late', async () => {
    for (let turns = 0; turns < 30; turns++) {
      const asking: (() => void)[] = [];
      const exchange = (counts: readonly OwnCount[]) =>
        new Promise<readonly SharedCount[]>((resolve) =>
          asking.push(() =>
            resolve(counts.map(({ account }) => ({ mine: 0, others: account === 'key ada' ? 600 : 0 }))),
          ),
        );
      const sharedStore = { ...new SharedMemory().store(), spending: { exchange } };
      const { ask } = withBudgets({}, 600, { sharedStore });
      const refused = ask('x', ada).catch((error: unknown) => error);
      await settled();
      asking.shift()?.();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const paid = ask('x', bob);
      await settled();
      for (const answer of asking) answer();
      expect(await (await paid).rows.all()).toEqual([[1n]]);
      await refused;
    }
  });

  it('are refused when the only caller with budget left has gone', async () => {
    const { engine, endpoint, ...set } = await waiting(600, {});
    const leaving = new AbortController();
    const blocked = setUp({ settings: { maxConcurrentQueries: 1, bigqueryKeyBytesPerDay: 600 } });
    blocked.engine.cost = costOf(600);
    const blocker = blocked.ask(endpoint, { project: 'blocks' }, undefined, ada);
    const gone = blocked.ask(endpoint, { project: 'x' }, leaving.signal, bob);
    const stays = blocked.ask(endpoint, { project: 'x' }, undefined, ada);
    gone.catch(() => {});
    stays.catch(() => {});
    await settled();
    leaving.abort(new Error('left'));
    blocked.engine.latest.succeed([[1n]]);
    await blocker;
    await expect(stays).rejects.toThrow('"ada"');
    expect(set.counted).toContain('run counts success 600');
  });
});

describe('replicas that share what they were billed', () => {
  /** Two replicas. What they have told each other is in `told`. */
  function replicas(keyBytesPerDay: number) {
    const told = new Map<string, number>();
    const state = { isAway: false };
    const replica = (name: string) => {
      const spending = {
        async exchange(counts: readonly OwnCount[]) {
          if (state.isAway) return undefined;
          const other = name === 'one' ? 'two' : 'one';
          return counts.map(({ of, period, account, own }) => {
            const count = `${of} ${period.name} ${account}`;
            if (own > 0) told.set(`${name} ${count}`, own);
            return { mine: told.get(`${name} ${count}`) ?? 0, others: told.get(`${other} ${count}`) ?? 0 };
          });
        },
      };
      const sharedStore = { ...new SharedMemory().store(), spending };
      return withBudgets({}, keyBytesPerDay, { sharedStore });
    };
    return { told, state, one: replica('one'), two: replica('two') };
  }

  it('refuses what would go beyond the budget with that of the others', async () => {
    const { one, two } = replicas(1200);
    await one.ask('a', ada);
    await two.ask('b', ada);
    await expect(one.ask('c', ada)).rejects.toThrow('used 1,200 of its 1,200 bytes');
    await expect(two.ask('c', ada)).rejects.toThrow('used 1,200 of its 1,200 bytes');
    await one.ask('c', bob);
  });

  it('go by what they know while they can not ask', async () => {
    const { one, two, state } = replicas(1200);
    await one.ask('a', ada);
    await two.ask('x', callerNamed('other'));
    state.isAway = true;
    await two.ask('b', ada);
    await two.ask('c', ada);
    await expect(two.ask('d', ada)).rejects.toMatchObject(exhausted);
    state.isAway = false;
    await expect(one.ask('d', bob)).resolves.toBeDefined();
    await expect(two.ask('d', ada)).rejects.toThrow('used 1,800 of its');
    await expect(one.ask('e', ada)).rejects.toThrow('used 1,800 of its');
  });

  it('forget nothing that a Redis has lost on the same day', async () => {
    const { one, two, told } = replicas(1300);
    await one.ask('a', ada);
    await two.ask('b', ada);
    await one.ask('learns', callerNamed('ada', { bytesPerDay: 9000 }));
    told.clear();
    await expect(one.ask('c', ada)).rejects.toThrow('used 1,800 of its');
  });
});

describe('what a run cost', () => {
  it('is reported to the callers that waited for the run, not to those served from the cache', async () => {
    const { ask, counted } = withBudgets({ cacheSeconds: 60 });
    const [first, second] = await Promise.all([ask('a', ada), ask('a', bob)]);
    expect(first?.cost).toEqual(costOf(600));
    expect(second?.cost).toEqual(costOf(600));
    expect((await ask('a', ada)).cost).toBeUndefined();
    expect(counted.filter((line) => line.startsWith('run'))).toEqual(['run counts success 600']);
  });
});
