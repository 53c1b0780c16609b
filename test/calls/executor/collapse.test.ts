import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { callerNamed } from './support/caller.ts';
import { endpointWith } from './support/endpoint.ts';
import { settled } from './support/manual-clock.ts';
import { setUp } from './support/setup.ts';

const uncached = endpointWith({ cacheSeconds: 0 });
const gone = new Error('the caller has left');

describe.each([
  ['a cached endpoint', endpointWith()],
  ['an endpoint that is not cached', uncached],
])('identical calls of %s', (_, endpoint) => {
  it('share one run, and all get its rows', async () => {
    const { ask, engine, counted } = setUp();
    const calls = Array.from({ length: 1000 }, () => ask(endpoint));
    await settled();
    expect(engine.runs).toHaveLength(1);
    engine.latest.succeed([[7n]]);
    const results = await Promise.all(calls);
    expect(await results[999]?.rows.all()).toEqual([[7n]]);
    expect(results.filter(({ cache }) => cache.collapsed)).toHaveLength(999);
    expect(new Set(results.map(({ bodies }) => bodies)).size).toBe(1);
    expect(counted.filter((line) => line === 'collapsed counts')).toHaveLength(999);
    expect(counted.filter((line) => line === 'run counts success')).toHaveLength(1);
  });

  it('run in the name of the first caller', async () => {
    const { ask, engine } = setUp();
    const calls = ['a', 'b'].map((key) => ask(endpoint, { project: 'a' }, undefined, callerNamed(key)));
    await settled();
    expect(engine.latest.request.account).toEqual({ key: 'key a', subject: '' });
    engine.latest.succeed([]);
    await Promise.all(calls);
  });

  it('share an error, and the next one runs again', async () => {
    const { ask, engine, counted } = setUp();
    const calls = [ask(endpoint), ask(endpoint)];
    await settled();
    engine.latest.fail(new GatewayError('QUERY_FAILED', 'Division by zero'));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    const next = ask(endpoint);
    await settled();
    expect(engine.runs).toHaveLength(2);
    engine.latest.succeed([[1n]]);
    expect(await (await next).rows.all()).toEqual([[1n]]);
    expect(counted).toContain('run counts error');
  });

  it('go on when one caller leaves', async () => {
    const { ask, engine } = setUp();
    const leaving = new AbortController();
    const first = ask(endpoint, { project: 'a' }, leaving.signal);
    const second = ask(endpoint);
    await settled();
    leaving.abort(gone);
    await expect(first).rejects.toBe(gone);
    expect(engine.latest.isAborted).toBe(false);
    engine.latest.succeed([[1n]]);
    expect(await (await second).rows.all()).toEqual([[1n]]);
  });

  it('are cancelled on the engine when the last caller leaves; later callers start again', async () => {
    const { ask, engine, counted } = setUp();
    const callers = [new AbortController(), new AbortController()];
    const calls = callers.map(({ signal }) => ask(endpoint, { project: 'a' }, signal));
    await settled();
    for (const caller of callers) caller.abort(gone);
    expect(engine.latest.isAborted).toBe(true);
    const next = ask(endpoint);
    await Promise.allSettled(calls);
    await settled();
    expect(engine.runs).toHaveLength(2);
    expect(counted).toContain('run counts cancelled');
    engine.latest.succeed([[1n]]);
    expect(await (await next).rows.all()).toEqual([[1n]]);
  });
});

describe('different questions', () => {
  it('run side by side up to the limit, and none waits for another', async () => {
    const { ask, engine } = setUp({ settings: { maxConcurrentQueries: 2 } });
    const calls = ['a', 'b', 'c'].map((project) => ask(uncached, { project }));
    await settled();
    expect(engine.runs).toHaveLength(2);
    engine.runs[1]?.succeed([[2n]]);
    expect(await (await calls[1])?.rows.all()).toEqual([[2n]]);
    await settled();
    expect(engine.runs).toHaveLength(3);
    engine.runs[0]?.succeed([]);
    engine.runs[2]?.succeed([]);
    await Promise.all(calls);
  });

  it('of which one is asked twice in the same moment run side by side, too', async () => {
    const { ask, engine } = setUp();
    const calls = ['a', 'a', 'b'].map((project) => ask(uncached, { project }));
    await settled();
    engine.runs[0]?.succeed([[1n]]);
    const results = await Promise.all(calls.slice(0, 2));
    expect(results.map(({ cache }) => cache.collapsed)).toEqual([false, true]);
    engine.runs[1]?.succeed([[2n]]);
    await calls[2];
  });

  it('are refused at once when too many wait', async () => {
    const { ask, engine, counted } = setUp({
      settings: { maxConcurrentQueries: 1, maxQueuedQueries: 1 },
    });
    const calls = ['a', 'b'].map((project) => ask(uncached, { project }));
    await expect(ask(uncached, { project: 'c' })).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(counted.filter((line) => line.startsWith('run'))).toEqual([]);
    await settled();
    engine.latest.succeed([]);
    await settled();
    engine.latest.succeed([]);
    await Promise.all(calls);
  });
});

describe('a run', () => {
  it('times out, which counts as an error', async () => {
    const { ask, engine, clock, counted } = setUp({ settings: { requestTimeoutMs: 1000 } });
    const call = ask();
    await clock.advance(999);
    expect(engine.latest.isAborted).toBe(false);
    const outcome = expect(call).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await clock.advance(1);
    await outcome;
    expect(counted).toEqual(['run counts error']);
  });
});
