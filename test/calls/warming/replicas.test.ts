import { expect, it, onTestFinished } from 'vitest';
import { warmedQueryOf } from '../../../src/calls/executor/entries/query-key.ts';
import { Warmer } from '../../../src/calls/warming/warmer.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';
import { endpointWith } from '../executor/support/endpoint.ts';
import { ManualClock, settled } from '../executor/support/manual-clock.ts';
import { setUp } from '../executor/support/setup.ts';
import { SharedMemory } from '../executor/support/shared-memory.ts';

const endpoint = endpointWith({ cacheSeconds: 9, warmSeconds: 3 });
const keyedQuery = warmedQueryOf(
  endpoint,
  new Map([
    ['project', 'a'],
    ['size', null],
  ]),
);

/** Replicas with warmers, on one clock and one store. Each draws other random numbers. */
function replicas(count: number, maxRunning = 2) {
  const clock = new ManualClock();
  const shared = new SharedMemory();
  const all = Array.from({ length: count }, (_, index) => {
    const made = setUp({ clock, sharedStore: shared.store() });
    const { executor, table, engine, counted } = made;
    engine.answer = () => [[1n]];
    const meter = {
      warmRun: (name: string, outcome: string) => void counted.push(`warm ${name} ${outcome}`),
    };
    const random = () => index / count;
    const warmer = new Warmer({ executor, table, clock, random, meter, log: fakeLog(), maxRunning });
    warmer.start();
    onTestFinished(() => warmer.close());
    const warmRuns = (outcome: string) => counted.filter((line) => line === `warm counts ${outcome}`).length;
    return { ...made, warmer, warmRuns };
  });
  const runs = () => all.reduce((sum, { engine }) => sum + engine.runs.length, 0);
  return { all, clock, shared, runs };
}

it('one replica refreshes a result, and the others use it in time', async () => {
  const { all, clock, runs } = replicas(3);
  for (const { ask } of all) await ask(endpoint);
  expect(runs()).toBe(1);
  for (let step = 0; step < 150; step++) {
    await clock.advance(100);
    for (const { ask } of all) {
      const { cache } = await ask(endpoint);
      expect(cache.status).toBe('hit');
      expect(clock.now() - cache.madeAt).toBeLessThan(3_000);
    }
  }
  expect(runs()).toBeLessThanOrEqual(7);
  // All but the first run, which was a caller's, are counted, each by the replica that made it.
  expect(all.reduce((sum, { warmRuns }) => sum + warmRuns('success'), 0)).toBe(runs() - 1);
});

it('a replica that goes away is replaced by one that has callers', async () => {
  const { all, clock, shared } = replicas(2);
  const [first, second] = all;
  for (const { ask } of all) await ask(endpoint);
  first?.warmer.close();
  // It had begun when it went, and its lease is over after a while.
  shared.leases.add(keyedQuery.key);
  await clock.advance(4_000);
  expect(second?.engine.runs).toHaveLength(0);
  shared.leases.clear();
  await clock.advance(600);
  expect(second?.engine.runs).toHaveLength(1);
  expect(second?.warmRuns('success')).toBe(1);
});

it('what another replica makes takes no place from what can be made', async () => {
  const { all, clock, shared } = replicas(1, 1);
  const [only] = all;
  await only?.ask(endpoint, { project: 'a' });
  await only?.ask(endpoint, { project: 'b' });
  shared.leases.add(keyedQuery.key);
  await clock.advance(3_000);
  expect(only?.engine.runs.slice(2).map(({ request }) => request.parameters.get('project'))).toEqual(['b']);
});

it('an entry that only the store has is kept warm once callers request it', async () => {
  const { all, clock } = replicas(2);
  const [first, second] = all;
  await first?.ask(endpoint);
  first?.warmer.close();
  await clock.advance(2_000);
  expect((await second?.ask(endpoint))?.cache.status).toBe('hit');
  await clock.advance(1_000);
  expect(second?.engine.runs).toHaveLength(1);
});

it('an entry from another replica counts as requested only if callers requested it here', async () => {
  const { all, clock, runs } = replicas(2);
  for (const { ask } of all) await ask(endpoint);
  await clock.advance(27_000);
  const before = runs();
  expect(before).toBeLessThanOrEqual(4);
  await clock.advance(9_000);
  expect(runs()).toBe(before);
});

it('a caller that arrives during a refresh waits for it, if at all', async () => {
  const { all, clock } = replicas(1);
  const [only] = all;
  if (only === undefined) return;
  await only.ask(endpoint);
  only.engine.answer = undefined;
  await clock.advance(9_000);
  expect(only.engine.runs).toHaveLength(2);
  const call = only.ask(endpoint);
  await settled();
  expect(only.engine.runs).toHaveLength(2);
  only.engine.latest.succeed([[2n]]);
  expect(await (await call).rows.all()).toEqual([[2n]]);
});
