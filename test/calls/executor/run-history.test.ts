import { expect, test } from 'vitest';
import { RunHistory } from '../../../src/calls/executor/meter.ts';
import { noMeter } from '../../support/local-executor.ts';
import { endpointWith } from './support/endpoint.ts';
import { ManualClock } from './support/manual-clock.ts';
import { setUp } from './support/setup.ts';

test('the last run of each endpoint is known, but for cancelled ones', () => {
  const clock = new ManualClock();
  const runs = new RunHistory(clock);
  const counted: string[] = [];
  const meter = runs.metered({
    ...noMeter,
    engineRun: (endpoint, outcome) => void counted.push(`${endpoint} ${outcome}`),
  });
  expect(runs.last('a')).toBeUndefined();
  meter.engineRun('a', 'success', 0.25);
  meter.engineRun('b', 'error', 1);
  const at = clock.now();
  clock.advance(1000);
  meter.engineRun('a', 'cancelled', 9);
  expect(runs.last('a')).toEqual({ at, milliseconds: 250, failed: false });
  expect(runs.last('b')).toEqual({ at, milliseconds: 1000, failed: true });
  expect(counted).toEqual(['a success', 'b error', 'a cancelled']);
  runs.retain(new Set(['b']));
  expect([runs.last('a'), runs.last('b')?.failed]).toEqual([undefined, true]);
});

test('cached results are counted by endpoint', async () => {
  const { ask, table, engine } = setUp();
  engine.answer = () => [];
  const [one, other] = [endpointWith(), endpointWith({ id: 'other', name: 'other' })];
  for (const project of ['a', 'b', 'a']) await ask(one, { project });
  await ask(other, { project: 'a' });
  expect(table.countsByEndpoint()).toEqual(
    new Map([
      [one.id, 2],
      ['other', 1],
    ]),
  );
});
