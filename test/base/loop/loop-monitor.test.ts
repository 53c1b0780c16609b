import { expect, test } from 'vitest';
import { LoopMonitor } from '../../../src/base/loop/loop-monitor.ts';
import { LoopWork } from '../../../src/base/loop/loop-work.ts';
import type { LogFields } from '../../../src/base/terminal/log.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';

/** A monitor whose seconds have the given delays and work, of a process that started ten seconds ago. */
async function setUp({ hasStarted = true } = {}) {
  const clock = new ManualClock();
  const lines: [string, LogFields | undefined][] = [];
  const told: number[] = [];
  let elapsed = 0;
  let [delay, computed] = [0, 0];
  const work = new LoopWork(() => elapsed);
  let rests = 0;
  const monitor = new LoopMonitor({
    onRest: () => {
      rests += 1;
    },
    ...{ clock, work, process: 'engine' },
    log: {
      info: (message, fields) => void lines.push([message, fields]),
      warn: (message, fields) => void lines.push([`warning: ${message}`, fields]),
    },
    onDelay: (seconds) => void told.push(seconds),
    takeDelay: () => delay,
    computedMs: () => computed,
  });
  if (hasStarted) {
    await clock.advance(10_000);
    told.length = 0;
  }
  const second = async (delayMs: number, computedMs: number) => {
    delay = delayMs;
    computed += computedMs;
    await clock.advance(1_000);
  };
  const step = (what: string, ms: number) =>
    work.step(what, () => {
      elapsed += ms;
    });
  return { lines, told, second, step, work, monitor, rests: () => rests };
}

test('a second in which the loop was held is told with what ran', async () => {
  const { lines, told, second, step, work } = await setUp();
  const query = work.begin('run');
  {
    using _ = work.begin('addEvents');
    step('binding rows', 80);
    step('taking a message', 20);
  }
  await second(85, 120);
  expect(lines).toEqual([
    [
      'the event loop was held',
      {
        ...{ process: 'engine', heldMs: 85, computedMs: 120, longest: 'binding rows', longestMs: 80 },
        ...{ during: 'run, addEvents', times: 1 },
      },
    ],
  ]);
  expect(told).toEqual([0.085]);
  query[Symbol.dispose]();
});

test('long computing is a warning', async () => {
  const { lines, second } = await setUp();
  await second(260, 300);
  expect(lines.map(([message]) => message)).toEqual(['warning: the event loop was held']);
});

test('a failed step counts, and what has ended is not named again', async () => {
  const { second, work, lines, step } = await setUp();
  work.begin('run')[Symbol.dispose]();
  await second(10, 10);
  const refuse = () => {
    step('planning', 60);
    throw new Error('refused');
  };
  expect(() => work.step('planning', refuse)).toThrow('refused');
  await second(60, 60);
  expect(lines.map(([, fields]) => fields)).toMatchObject([
    { longest: 'planning', longestMs: 60, during: '' },
  ]);
});

test('waiting for a processor is no work', async () => {
  const { lines, told, second } = await setUp();
  await second(900, 20);
  await second(30, 900);
  expect(lines).toEqual([]);
  expect(told).toEqual([0.9, 0.03]);
});

test('there is one line a minute, which counts what it leaves out', async () => {
  const { lines, second } = await setUp();
  for (let i = 0; i < 121; i++) await second(100, 100);
  expect(lines.map(([, fields]) => fields?.times)).toEqual([1, 60, 60]);
});

test('there is no line in the first ten seconds, which the first one counts', async () => {
  const { lines, told, second } = await setUp({ hasStarted: false });
  for (let i = 0; i < 11; i++) await second(100, 100);
  expect(lines.map(([, fields]) => fields?.times)).toEqual([10]);
  expect(told).toHaveLength(11);
});

test('after much work, the thread comes to rest once', async () => {
  const { second, rests } = await setUp();
  for (let i = 0; i < 5; i++) await second(1, 10);
  expect(rests()).toBe(0);
  for (const computedMs of [900, 10, 10, 300, 10, 10]) await second(1, computedMs);
  expect(rests()).toBe(0);
  await second(1, 10);
  expect(rests()).toBe(1);
  for (let i = 0; i < 50; i++) await second(1, 10);
  expect(rests()).toBe(1);
});

test('a disposed monitor looks no more', async () => {
  const { told, second, monitor } = await setUp();
  await second(1, 1);
  monitor[Symbol.dispose]();
  await second(1, 1);
  expect(told).toHaveLength(1);
});

test('the delay of this thread is sampled', async () => {
  const told: number[] = [];
  const clock = new ManualClock();
  using monitor = new LoopMonitor({
    ...{ clock, process: 'engine', log: { info: () => undefined, warn: () => undefined } },
    onDelay: (seconds) => void told.push(seconds),
  });
  expect(monitor).toBeDefined();
  const turn = () => new Promise((resolve) => setTimeout(resolve, 60));
  await turn();
  for (const end = performance.now() + 120; performance.now() < end; );
  await turn();
  await clock.advance(1_000);
  expect(told[0]).toBeGreaterThan(0.05);
});
