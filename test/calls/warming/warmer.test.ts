import { describe, expect, it, onTestFinished } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { ownAccount } from '../../../src/base/fairness/account.ts';
import { Warmer } from '../../../src/calls/warming/warmer.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';
import { callerNamed } from '../executor/support/caller.ts';
import { endpointWith } from '../executor/support/endpoint.ts';
import { settled } from '../executor/support/manual-clock.ts';
import { setUp } from '../executor/support/setup.ts';

const endpoint = endpointWith({ cacheSeconds: 9, warmSeconds: 3 });
const parameters = (project: string) =>
  new Map([
    ['project', project],
    ['size', null],
  ]);

/** An executor with a warmer that has started. Its engine answers at once with the number of the run. */
function warming({ maxRunning = 2, random = () => 0, ...parts }: Options = {}) {
  const made = setUp(parts);
  const { executor, table, clock, engine, counted } = made;
  const log = fakeLog();
  const meter = {
    warmRun: (name: string, outcome: string) => void counted.push(`warm ${name} ${outcome}`),
  };
  const warmer = new Warmer({ executor, table, clock, random, meter, log, maxRunning });
  engine.answer = () => [[BigInt(engine.runs.length)]];
  warmer.start();
  onTestFinished(() => warmer.close());
  const projects = () => engine.runs.map(({ request }) => request.parameters.get('project'));
  const warmRuns = () => counted.filter((line) => line.startsWith('warm '));
  return { ...made, warmer, log, projects, warmRuns };
}

interface Options extends NonNullable<Parameters<typeof setUp>[0]> {
  readonly maxRunning?: number;
  readonly random?: () => number;
}

const failing = () => {
  throw new GatewayError('BACKEND_UNAVAILABLE', 'no');
};

describe('a requested entry', () => {
  it('is refreshed before its rows reach the age warmSeconds: nobody waits or gets older ones', async () => {
    const { ask, clock, engine, warmRuns } = warming();
    await ask(endpoint);
    const ages: number[] = [];
    for (let step = 0; step < 300; step++) {
      await clock.advance(100);
      const { cache } = await ask(endpoint);
      expect(cache.status).toBe('hit');
      ages.push(clock.now() - cache.madeAt);
    }
    expect(Math.max(...ages)).toBeLessThan(3_000);
    expect(Math.max(...ages)).toBeGreaterThan(2_500);
    expect(engine.runs).toHaveLength(12);
    expect(warmRuns()).toEqual(Array(11).fill('warm counts success'));
  });

  it('retires cacheSeconds after its last request, and is removed when it expires', async () => {
    const { ask, clock, engine, table } = warming();
    await ask(endpoint);
    await clock.advance(9_000);
    expect(engine.runs).toHaveLength(4);
    await clock.advance(9_000);
    expect(engine.runs).toHaveLength(4);
    expect(table.size).toBe(0);
    await ask(endpoint);
    await clock.advance(3_000);
    expect(engine.runs).toHaveLength(6);
  });

  it('stays warm as long as callers request it, however rarely', async () => {
    const { ask, clock, counted } = warming();
    await ask(endpoint);
    for (let round = 0; round < 10; round++) {
      await clock.advance(8_900);
      await ask(endpoint);
    }
    expect(counted.filter((line) => line.startsWith('cache '))).toEqual([
      'cache counts miss',
      ...Array(10).fill('cache counts hit'),
    ]);
  });

  it('is left alone where the endpoint is not warmed', async () => {
    const { ask, clock, engine, table } = warming();
    await ask(endpointWith({ cacheSeconds: 9, warmSeconds: 0 }));
    await clock.advance(8_900);
    expect([engine.runs.length, table.size]).toEqual([1, 1]);
    await clock.advance(200);
    expect([engine.runs.length, table.size]).toEqual([1, 0]);
  });

  it('is run with the parameters that it was asked with', async () => {
    const { ask, clock, engine } = warming();
    await ask(endpoint, { project: 'a', size: 2n ** 60n });
    await clock.advance(3_000);
    expect(engine.latest.request.parameters).toEqual(
      new Map<string, unknown>([
        ['project', 'a'],
        ['size', 2n ** 60n],
      ]),
    );
  });
});

describe('several entries', () => {
  it('are refreshed a few at a time, in the order of their due times', async () => {
    const { ask, clock, engine, projects } = warming({ maxRunning: 2 });
    for (const project of ['a', 'b', 'c', 'd']) {
      await ask(endpoint, { project });
      await clock.advance(10);
    }
    engine.runs.length = 0;
    engine.answer = undefined;
    await clock.advance(3_000);
    expect(projects()).toEqual(['a', 'b']);
    engine.runs[1]?.succeed([]);
    await settled();
    expect(projects()).toEqual(['a', 'b', 'c']);
    engine.runs[0]?.succeed([]);
    engine.runs[2]?.succeed([]);
    await settled();
    expect(projects()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('take their turn in the background beside the runs of callers', async () => {
    const { ask, clock, engine, projects } = warming({ settings: { maxConcurrentQueries: 1 } });
    await ask(endpoint, { project: 'warm' });
    engine.runs.length = 0;
    engine.answer = undefined;
    const first = ask(endpoint, { project: 'first' });
    await clock.advance(3_000);
    const second = ask(endpoint, { project: 'second' });
    await settled();
    expect(projects()).toEqual(['first']);
    engine.runs[0]?.succeed([]);
    await first;
    await settled();
    // The background has used nothing yet.
    expect(projects()).toEqual(['first', 'warm']);
    engine.runs[1]?.succeed([]);
    await settled();
    expect(projects()).toEqual(['first', 'warm', 'second']);
    engine.runs[2]?.succeed([]);
    await second;
  });

  it('that were made together are not refreshed together', async () => {
    let drawn = 0;
    const { ask, clock, engine } = warming({ maxRunning: 100, random: () => (drawn++ % 10) / 10 });
    const slow = endpointWith({ cacheSeconds: 60, warmSeconds: 20 });
    for (let n = 0; n < 10; n++) await ask(slow, { project: `p${n}` });
    const runsAt = new Set<number>();
    engine.answer = () => {
      runsAt.add(clock.now());
      return [];
    };
    await clock.advance(20_000);
    expect(runsAt.size).toBe(10);
  });
});

describe('while it waits or runs', () => {
  it('an entry that a caller makes is not made again', async () => {
    const { warmer, ask, clock, engine, projects } = warming({ maxRunning: 1 });
    engine.answer = undefined;
    warmer.use([{ ...endpoint, warm: [parameters('first'), parameters('second')] }]);
    await clock.advance(100);
    const call = ask(endpoint, { project: 'second' });
    await settled();
    engine.latest.succeed([]);
    await call;
    engine.runs[0]?.succeed([]);
    await clock.advance(1_000);
    expect(projects()).toEqual(['first', 'second']);
  });

  it('an entry with several response bodies is refreshed once', async () => {
    const { ask, clock, engine, table, executor } = warming();
    await ask(endpoint);
    engine.answer = undefined;
    let refreshed = 0;
    const { refresh } = executor;
    executor.refresh = (...given) => {
      refreshed++;
      return refresh.apply(executor, given);
    };
    await clock.advance(2_900);
    const [held] = table.values();
    await held?.bodies.make('plain', new AbortController().signal, async () => ({
      bytes: Buffer.from('[]'),
      etag: '"1"',
      headers: [],
    }));
    await clock.advance(1_000);
    expect(refreshed).toBe(1);
  });
});

describe('a failed run', () => {
  it('keeps the good rows, is tried again with growing pauses, and heals', async () => {
    const { ask, clock, engine, warmRuns } = warming();
    const { cache } = await ask(endpoint);
    engine.answer = failing;
    await clock.advance(5_500);
    const held = await ask(endpoint);
    expect(held.cache).toMatchObject({ status: 'hit', madeAt: cache.madeAt });
    // After about 2.9, 3.6 and 5.1 s.
    expect(warmRuns()).toEqual(Array(3).fill('warm counts error'));
    engine.answer = () => [[7n]];
    await clock.advance(2_000);
    expect(warmRuns().slice(3)).toEqual(['warm counts success']);
    expect(await (await ask(endpoint)).rows.all()).toEqual([[7n]]);
  });

  it('lets the rows stand in as long as the endpoint says, and not longer', async () => {
    const { ask, clock, engine, table } = warming();
    const lenient = endpointWith({ cacheSeconds: 9, warmSeconds: 3, staleIfErrorSeconds: 5 });
    await ask(lenient);
    engine.answer = failing;
    await clock.advance(13_900);
    expect((await ask(lenient)).cache.status).toBe('stale');
    await clock.advance(200);
    await expect(ask(lenient)).rejects.toThrow('no');
    expect(table.size).toBe(0);
  });

  it('that is a defect stands in the log, without parameters', async () => {
    const { ask, clock, engine, log, warmRuns } = warming();
    await ask(endpoint, { project: 'secret' });
    engine.answer = () => {
      throw new TypeError('oh');
    };
    await clock.advance(3_000);
    expect(log.lines).toEqual(['error: a result could not be refreshed']);
    expect(warmRuns()).toEqual(['warm counts error']);
  });
});

describe('the warm sets of an endpoint', () => {
  const pinned = { ...endpoint, warm: [parameters('a'), parameters('b')] };

  it('are made from the start on, and go on though nobody asks', async () => {
    const { warmer, clock, ask, engine, projects } = warming();
    warmer.use([pinned]);
    expect(engine.runs).toHaveLength(0);
    await clock.advance(100);
    expect(projects()).toEqual(['a', 'b']);
    for (let round = 0; round < 10; round++) {
      await clock.advance(9_000);
      const { cache } = await ask(pinned, { project: 'b' });
      expect(cache.status).toBe('hit');
      expect(clock.now() - cache.madeAt).toBeLessThan(3_000);
    }
    expect(projects().filter((project) => project === 'a').length).toBeGreaterThanOrEqual(31);
  });

  it('are tried again when they fail, which the log tells once', async () => {
    const { warmer, clock, engine, log, warmRuns, ask } = warming();
    engine.answer = failing;
    warmer.use([{ ...endpoint, warm: [parameters('a')] }]);
    await clock.advance(2_000);
    expect(warmRuns()).toEqual(Array(2).fill('warm counts error'));
    expect(log.lines).toEqual(['warn: a warm result could not be computed']);
    engine.answer = () => [[1n]];
    await clock.advance(1_000);
    expect((await ask(endpoint)).cache.status).toBe('hit');
  });

  it('change with the endpoints: runs of another version are aborted', async () => {
    const { warmer, clock, engine, projects } = warming();
    engine.answer = undefined;
    warmer.use([pinned]);
    await clock.advance(100);
    warmer.use([{ ...pinned, version: 'v2', warm: [parameters('c')] }]);
    await clock.advance(100);
    expect(engine.runs.map(({ isAborted }) => isAborted)).toEqual([true, true, false]);
    expect(projects()[2]).toBe('c');
  });

  it('that fit into no memory are not run again and again', async () => {
    const { warmer, clock, engine } = warming({ settings: { cacheMemoryMb: 1 } });
    const huge = Array.from({ length: 2_000 }, (_, n) => [BigInt(n) ** 17n, Math.random().toString()]);
    engine.answer = () => [...huge, ...huge.map(([, text]) => [0n, `${text}${Math.random()}`])];
    warmer.use([{ ...endpoint, warm: [parameters('a')] }]);
    await clock.advance(9_000);
    expect(engine.runs.length).toBeLessThanOrEqual(4);
  });
});

describe('between replicas', () => {
  it('a result in flight in another replica is checked again soon, and used', async () => {
    const { clock, warmer, ask, table, engine, warmRuns, executor } = warming();
    await ask(endpoint);
    const [held] = table.values();
    const outcomes = ['busy', 'busy', 'elsewhere'] as const;
    const asked: number[] = [];
    executor.refresh = async () => {
      asked.push(clock.now());
      const outcome = outcomes[asked.length - 1] ?? 'busy';
      if (outcome === 'elsewhere' && held)
        table.put({ ...held.entry, madeAt: clock.now() }, held.askedAt, ownAccount);
      return outcome;
    };
    await clock.advance(3_500);
    expect(asked).toHaveLength(3);
    expect((asked[2] ?? 0) - (asked[0] ?? 0)).toBeLessThanOrEqual(600);
    // What another replica has run isn't counted here.
    expect(warmRuns()).toEqual([]);
    expect(engine.runs).toHaveLength(1);
    warmer.close();
  });
});

it('stops at close: what runs is aborted, nothing begins', async () => {
  const { warmer, clock, ask, engine } = warming();
  await ask(endpoint);
  engine.answer = undefined;
  await clock.advance(3_000);
  expect(engine.runs).toHaveLength(2);
  warmer.close();
  expect(engine.latest.isAborted).toBe(true);
  await clock.advance(60_000);
  expect(engine.runs).toHaveLength(2);
});

describe('a run in the background', () => {
  const cost = { bytesProcessed: 5, bytesBilled: 5, slotMs: 1, engineCacheHit: false };

  it('has the labels that need no caller', async () => {
    const { ask, clock, engine } = warming();
    const labelled = { ...endpoint, labels: [{ key: 'a', parameter: 'project' }, { key: 'b' }] };
    await ask(labelled, { project: 'x' }, undefined, callerNamed('ada', { labels: 'b=1' }));
    expect(engine.latest.request.job.labels).toEqual(
      new Map([
        ['a', 'x'],
        ['b', '1'],
      ]),
    );
    await clock.advance(3_000);
    expect(engine.runs).toHaveLength(2);
    expect(engine.latest.request.job.labels).toEqual(new Map([['a', 'x']]));
  });

  it('is on the budget of the endpoint, and does not begin without a word when that is spent', async () => {
    const { ask, clock, engine, warmRuns, log } = warming();
    engine.cost = cost;
    const limited = { ...endpoint, maxBytesPerDay: 10 };
    await ask(limited);
    await clock.advance(8_000);
    expect(engine.runs).toHaveLength(2);
    expect(warmRuns()).toEqual(['warm counts success']);
    expect(log.lines).toEqual([]);
    expect((await ask(limited)).cache.status).toBe('hit');
  });

  it('is charged to no key, not even that of a caller waiting for it', async () => {
    const { ask, clock, engine, warmer } = warming({ settings: { bigqueryKeyBytesPerDay: 5 } });
    engine.cost = cost;
    engine.answer = undefined;
    warmer.use([{ ...endpoint, warm: [parameters('a')] }]);
    await clock.advance(100);
    expect(engine.runs).toHaveLength(1);
    const waiting = ask(endpoint, { project: 'a' }, undefined, callerNamed('ada'));
    await settled();
    engine.latest.succeed([[1n]]);
    expect((await waiting).cost).toEqual(cost);
    engine.answer = () => [[2n]];
    await ask(endpoint, { project: 'b' }, undefined, callerNamed('ada'));
    await expect(ask(endpoint, { project: 'c' }, undefined, callerNamed('ada'))).rejects.toThrow('"ada"');
  });
});
