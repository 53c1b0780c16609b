import { describe, expect, test } from 'vitest';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from './support/caller.ts';
import { endpointWith } from './support/endpoint.ts';
import { FakeEngine } from './support/fake-engine.ts';
import { settled } from './support/manual-clock.ts';
import { setUp } from './support/setup.ts';

const endpoint = endpointWith({ exportRows: 500, maxRows: 10, cacheSeconds: 60 });
const turn = () => new Promise(setImmediate);

const call = callOf({ endpoint, parameters: new Map([['project', 'a']]) });
const { signal } = new AbortController();

describe('an export', () => {
  test('has the limit of the endpoint, and is neither cached nor shared', async () => {
    const { executor, engine, table, counted } = setUp();
    const taken: unknown[] = [];
    const both = [1, 2].map(() =>
      executor.stream(call, { signal }, ({ batch }) => void taken.push(batch?.length)),
    );
    await turn();
    expect(engine.runs.map(({ request }) => request.maxRows)).toEqual([500, 500]);
    for (const run of engine.runs) run.succeed([[1n]]);
    expect(await Promise.all(both)).toMatchObject([{ truncated: false }, { truncated: false }]);
    // The first part tells the columns.
    expect(taken).toEqual([undefined, undefined, 1, 1]);
    expect(table.size).toBe(0);
    expect(counted).toEqual(['run counts success', 'run counts success']);
  });

  test('ends with its next rows when its endpoint is replaced', async () => {
    const { executor, engine } = setUp();
    let isServed = true;
    const replaced = callOf(
      { endpoint, parameters: new Map([['project', 'a']]) },
      { isServed: () => isServed },
    );
    const taken: unknown[] = [];
    const exporting = executor.stream(replaced, { signal }, ({ batch }) => void taken.push(batch?.length));
    await turn();
    isServed = false;
    engine.latest.succeed([[1n]]);
    await expect(exporting).rejects.toMatchObject({
      message: 'The endpoint "counts" has changed. Ask again.',
    });
    expect(taken).toEqual([undefined]);
  });

  test('leaves rights for other keys, and permits for queries', async () => {
    const { executor, engine, ask } = setUp({ settings: { maxConcurrentQueries: 4 } });
    const flood = async (key: string) => {
      const payer = { ...callerNamed(key), class: 'interactive' as const };
      const own = callOf({ endpoint, parameters: new Map([['project', 'a']]), payer });
      for (let count = 0; count < 5; count++) executor.stream(own, { signal }, () => {}).catch(() => {});
      await turn();
    };
    await flood('a');
    expect(engine.runs).toHaveLength(2);
    await flood('b');
    expect(engine.runs).toHaveLength(3);
    await flood('c');
    expect(engine.runs).toHaveLength(4);
    void ask();
    await turn();
    expect(engine.runs).toHaveLength(5);
  });

  test('runs in the background as queries do, and only its receiver takes its permit from it', async () => {
    const engine = Object.assign(new FakeEngine(), { usesAllProcessors: true });
    const { executor, clock, ask } = setUp({ engine });
    const reading = Promise.withResolvers<void>();
    const taken: unknown[] = [];
    const exporting = executor.stream(call, { signal }, async ({ batch }) => {
      taken.push(batch?.length);
      if (batch !== undefined) await reading.promise;
    });
    await turn();
    expect(engine.runs).toHaveLength(1);
    const inBackground = { ...callerNamed('b'), class: 'background' as const };
    const other = ask(endpointWith({ cacheSeconds: 0 }), { project: 'b' }, signal, inBackground);
    await settled();
    expect(engine.runs).toHaveLength(1);
    expect(executor.permits.state).toMatchObject({ running: 1, waiting: 1 });
    engine.latest.succeed([[1n]]);
    await clock.advance(99);
    expect(engine.runs).toHaveLength(1);
    // It waits for its receiver: the other one has its turn.
    await clock.advance(1);
    expect(engine.runs).toHaveLength(2);
    reading.resolve();
    await settled();
    expect(executor.permits.state).toMatchObject({ running: 1, waiting: 1 });
    engine.latest.succeed([]);
    await Promise.all([exporting, other]);
    expect(taken).toEqual([undefined, 1]);
    expect(executor.permits.state).toMatchObject({ running: 0, waiting: 0 });
    expect(executor.openExports.taken).toBe(0);
  });

  test('must have rows within the time of a query, and then has its own time', async () => {
    const settings = { requestTimeoutMs: 100, exportTimeoutMs: 1_000 };
    const silent = setUp({ settings });
    const waiting = silent.executor.stream(call, { signal }, () => {});
    waiting.catch(() => {});
    await turn();
    await silent.clock.advance(101);
    await expect(waiting).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });

    const slow = setUp({ settings });
    const reading = Promise.withResolvers<void>();
    const exporting = slow.executor.stream(call, { signal }, ({ batch }) =>
      batch === undefined ? undefined : reading.promise,
    );
    exporting.catch(() => {});
    await turn();
    slow.engine.latest.succeed([[1n]]);
    await turn();
    await slow.clock.advance(500);
    expect(slow.engine.latest.isAborted).toBe(false);
    await slow.clock.advance(600);
    expect(slow.engine.latest.isAborted).toBe(true);
    reading.resolve();
  });

  test('ends with its caller', async () => {
    const { executor, engine, counted } = setUp();
    const left = new AbortController();
    const exporting = executor.stream(call, { signal: left.signal }, () => {});
    await turn();
    left.abort(new Error('left'));
    await expect(exporting).rejects.toThrow('left');
    expect(engine.latest.isAborted).toBe(true);
    expect(counted).toEqual(['run counts cancelled']);
  });
});
