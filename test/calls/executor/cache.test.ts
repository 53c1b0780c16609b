import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, GatewayError } from '../../../src/base/errors/errors.ts';
import { isInvalidated } from '../../../src/calls/executor/entries/entry-store.ts';
import { warmedQueryOf } from '../../../src/calls/executor/entries/query-key.ts';
import { canonicalValue } from '../../../src/sql/values/canonical-value.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { endpointWith } from './support/endpoint.ts';
import { settled } from './support/manual-clock.ts';
import { setUp } from './support/setup.ts';

/** An executor whose engine answers at once with the number of the run. */
function counting(parts: Parameters<typeof setUp>[0] = {}) {
  const made = setUp(parts);
  made.engine.answer = () => [[BigInt(made.engine.runs.length)]];
  const rowsOf = async (...given: Parameters<typeof made.ask>) => (await made.ask(...given)).rows.all();
  return { ...made, rowsOf };
}

describe('a cached result', () => {
  it('is reused until its time is over', async () => {
    const { ask, rowsOf, clock, engine } = counting();
    const first = await ask();
    expect(first.cache).toMatchObject({
      status: 'miss',
      madeAt: clock.now(),
      freshUntil: clock.now() + 60_000,
    });
    await clock.advance(59_999);
    const hit = await ask();
    expect(hit.cache.status).toBe('hit');
    expect(hit.engineMs).toBe(0);
    expect(await hit.rows.all()).toEqual([[1n]]);
    await clock.advance(1);
    expect(await rowsOf()).toEqual([[2n]]);
    expect(engine.runs).toHaveLength(2);
  });

  it('is another one for other parameters, and for another version of the endpoint', async () => {
    const { rowsOf } = counting();
    expect(await rowsOf(endpointWith(), { project: 'a' })).toEqual([[1n]]);
    expect(await rowsOf(endpointWith(), { project: 'b' })).toEqual([[2n]]);
    expect(await rowsOf(endpointWith(), { project: 'a', size: 1n })).toEqual([[3n]]);
    expect(await rowsOf(endpointWith({ version: 'v2' }), { project: 'a' })).toEqual([[4n]]);
    expect(await rowsOf(endpointWith(), { project: 'a' })).toEqual([[1n]]);
  });

  it('is never a failure', async () => {
    const { ask, rowsOf, engine } = counting();
    engine.answer = () => {
      throw new GatewayError('QUERY_FAILED', 'Division by zero');
    };
    await expect(ask()).rejects.toThrow('Division by zero');
    engine.answer = () => [[5n]];
    expect(await rowsOf()).toEqual([[5n]]);
  });

  it('is none where the endpoint is not cached', async () => {
    const { ask, clock } = counting();
    const endpoint = endpointWith({ cacheSeconds: 0 });
    expect((await ask(endpoint)).cache).toMatchObject({ status: 'off', freshUntil: clock.now() });
    expect(await (await ask(endpoint)).rows.all()).toEqual([[2n]]);
  });

  it('keeps every value exactly', async () => {
    const { ask, engine } = counting();
    const columns = [
      { name: 'f', type: { kind: 'FLOAT64' } },
      { name: 's', type: { kind: 'STRING' } },
      { name: 'a', type: { kind: 'ARRAY', element: { kind: 'INT64' } } },
    ] as const;
    const endpoint = endpointWith();
    const wide = { ...endpoint, plan: { ...endpoint.plan, columns } };
    const rows = [
      [Number.NaN, 'a\u0000\ud800😀', [9_223_372_036_854_775_807n, null]],
      [-0, '', []],
      [Number.NEGATIVE_INFINITY, null, null],
    ];
    engine.answer = () => rows;
    await ask(wide);
    expect(await (await ask(wide)).rows.all()).toStrictEqual(rows);
    expect(engine.runs).toHaveLength(1);
  });
});

describe('what is too old', () => {
  const endpoint = endpointWith({ staleIfErrorSeconds: 30 });
  const failing = (code: ErrorCode) => () => {
    throw new GatewayError(code, 'no');
  };

  it('stands in for what can not be made, as long as the endpoint says, and never longer', async () => {
    const { ask, engine, clock, counted } = counting();
    await ask(endpoint);
    engine.answer = failing('BACKEND_UNAVAILABLE');
    await clock.advance(60_000);
    const stale = await ask(endpoint);
    expect(stale.cache).toMatchObject({ status: 'stale', freshUntil: clock.now() });
    expect(await stale.rows.all()).toEqual([[1n]]);
    expect(counted.at(-1)).toBe('cache counts stale');
    await clock.advance(30_000);
    await expect(ask(endpoint)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  });

  it('is not given where the caller is to blame, nor where the endpoint does not say so', async () => {
    const { ask, engine, clock } = counting();
    await ask(endpoint);
    await ask(endpointWith());
    await clock.advance(60_000);
    engine.answer = failing('BAD_USER_INPUT');
    await expect(ask(endpoint)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    engine.answer = failing('BACKEND_UNAVAILABLE');
    await expect(ask(endpointWith({ version: 'v2' }))).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  });

  it.each<[ErrorCode, boolean]>([
    ['BACKEND_UNAVAILABLE', true],
    ['OVERLOADED', true],
    ['QUERY_TIMEOUT', true],
    ['QUERY_FAILED', true],
    ['COST_LIMIT_EXCEEDED', false],
    ['BAD_USER_INPUT', false],
  ])('stands in for %s: %s', async (code, standsIn) => {
    const { ask, engine, clock } = counting();
    await ask(endpoint);
    await clock.advance(60_000);
    engine.answer = failing(code);
    const call = ask(endpoint);
    if (standsIn) expect((await call).cache.status).toBe('stale');
    else await expect(call).rejects.toMatchObject({ code });
  });

  it('stands in when the time of the caller is up', async () => {
    const { ask, engine, clock } = counting();
    await ask(endpoint);
    await clock.advance(60_000);
    engine.answer = undefined;
    const deadline = new AbortController();
    const call = ask(endpoint, { project: 'a' }, deadline.signal);
    await settled();
    deadline.abort(new GatewayError('QUERY_TIMEOUT', 'too late'));
    expect((await call).cache.status).toBe('stale');
  });
});

describe('dropping', () => {
  it('forgets the entries of an endpoint, or those with some parameters', async () => {
    const { rowsOf, executor } = counting();
    const endpoint = endpointWith();
    for (const project of ['a', 'b', 'c']) await rowsOf(endpoint, { project });
    expect(await executor.invalidate({ endpointId: endpoint.id, parameters: new Map([[0, 'b']]) })).toBe(1);
    expect(await rowsOf(endpoint, { project: 'a' })).toEqual([[1n]]);
    expect(await rowsOf(endpoint, { project: 'b' })).toEqual([[4n]]);
    expect(await executor.invalidate({ endpointId: endpoint.id })).toBe(3);
    expect(await executor.invalidate({ endpointId: '00000000-0000-4000-8000-000000000000' })).toBe(0);
  });

  it('drops the slices of the engine, too', async () => {
    const { engine, executor } = setUp();
    await executor.invalidate({ endpointId: 'one' });
    await executor.invalidate({});
    expect(engine.dropped).toEqual(['one', undefined]);
  });

  it('reaches what is being made: its callers get it, nobody else does', async () => {
    const { ask, engine, executor } = setUp();
    const endpoint = endpointWith();
    const before = ask(endpoint);
    await settled();
    await executor.invalidate({ endpointId: endpoint.id });
    const after = ask(endpoint);
    await settled();
    expect(engine.runs).toHaveLength(2);
    engine.runs[1]?.succeed([[2n]]);
    await after;
    engine.runs[0]?.succeed([[1n]]);
    expect(await (await before).rows.all()).toEqual([[1n]]);
    expect(await (await ask(endpoint)).rows.all()).toEqual([[2n]]);
  });

  it('happens to the versions that are served no more, also to what is being made', async () => {
    const { ask, engine, executor, table } = setUp();
    const old = endpointWith();
    const call = ask(old);
    await settled();
    executor.retain(new Map([[old.id, ['v2']]]));
    engine.latest.succeed([[1n]]);
    await call;
    expect(table.size).toBe(0);
  });
});

describe('memory', () => {
  it('stays within its bound: what was used longest ago goes first', async () => {
    const { rowsOf, budget, table, engine } = counting({
      settings: {
        cacheMemoryMb: 1,
        maxConcurrentQueries: 8,
        maxQueuedQueries: 100,
        requestTimeoutMs: 25_000,
      },
    });
    const endpoint = endpointWith();
    await rowsOf(endpoint, { project: 'first' });
    for (let index = 0; index < 1500; index++) {
      await rowsOf(endpoint, { project: `project ${index}` });
      await rowsOf(endpoint, { project: 'first' });
    }
    expect(budget.bytes).toBeLessThanOrEqual(1_000_000);
    expect(table.size).toBeGreaterThan(100);
    expect(table.size).toBeLessThan(1400);
    expect(engine.runs).toHaveLength(1501);
  });

  it('that is too small for a body still has the rows', async () => {
    const { ask, engine, table } = counting({ settings: { cacheMemoryMb: 1 } });
    const { bodies } = await ask();
    const body = (length: number) => ({ bytes: Buffer.alloc(length), etag: '""', headers: [] });
    const { signal } = new AbortController();
    await bodies.make('plain', signal, async () => body(1_000));
    await bodies.make('large', signal, async () => body(300_000));
    const hit = await ask();
    expect(hit.cache.status).toBe('hit');
    expect(hit.bodies.get('plain')).toBeDefined();
    expect(hit.bodies.get('large')).toBeUndefined();
    expect(table.size).toBe(1);
    expect(engine.runs).toHaveLength(1);
  });

  it('that is too small for the rows is not said to keep them', async () => {
    const { ask, clock, engine } = counting({ settings: { cacheMemoryMb: 1 } });
    engine.answer = () => [[randomBytes(300_000).toString('latin1')]];
    expect((await ask()).cache).toMatchObject({ status: 'miss', freshUntil: clock.now() });
    expect((await ask()).cache.status).toBe('miss');
  });
});

describe('the key', () => {
  const keyOf = (given: Readonly<Record<string, bigint | string | number | null>>) =>
    warmedQueryOf(endpointWith(), new Map(Object.entries(given))).key;

  it('does not depend on the order of parameters, nor on those that are not declared', () => {
    expect(keyOf({ size: 1n, project: 'a', other: 'x' })).toBe(keyOf({ project: 'a', size: 1n }));
  });

  it('distinguishes all values', () => {
    const keys = [
      { project: 'a' },
      { project: '' },
      { project: null },
      { project: 'null' },
      { project: 'a","1' },
      { project: 'a\n"1"' },
      { project: 'a', size: 1n },
      { project: '1' },
    ].map((given) => keyOf(given));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('distinguishes all arrays, and finds each of them again', () => {
    const texts: Value[] = [
      [],
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b', 'b'],
      ['a,b'],
      ['a","b'],
      ['["a"]'],
      [''],
      ['', ''],
    ];
    const numbers: Value[] = [[1n], [11n], [1n, 1n], [-0], [0], [Number.NaN], [Infinity]];
    const arrays = [...texts, ...numbers];
    const keys = arrays.map((project) => warmedQueryOf(endpointWith(), new Map([['project', project]])).key);
    expect(new Set(keys).size).toBe(arrays.length);
    for (const [index, value] of arrays.entries()) {
      const parameters = new Map([[0, canonicalValue(value)]]);
      const found = keys.filter((key) => isInvalidated(key, { parameters }));
      expect(found).toEqual([keys[index]]);
    }
  });
});
