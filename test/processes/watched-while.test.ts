import { expect, test } from 'vitest';
import { watchedWhile } from '../../src/processes/watched-while.ts';
import { ManualClock, settled } from '../executor/support/manual-clock.ts';
import { FakeProcess } from './support/fake-process.ts';

const readMemory = async () => 1;

function begin({ isAlive = true, signal = new AbortController().signal } = {}) {
  const clock = new ManualClock(0);
  const process = new FakeProcess();
  const { promise: work, resolve: finish, reject } = Promise.withResolvers<void>();
  void process.exited.then((reason) => reject(new Error(reason)));
  let asked = 0;
  const ask = () => {
    asked++;
    return isAlive ? Promise.resolve() : new Promise<void>(() => {});
  };
  const result = watchedWhile(process, work, { beatMs: 100, patience: 5, ask, readMemory }, clock, signal);
  result.catch(() => {});
  return { clock, process, finish, result, asked: () => asked };
}

test('first work may take long while the process gives signs of life, and is not watched afterwards', async () => {
  const { clock, finish, result, asked } = begin();
  await clock.advance(60_000);
  const before = asked();
  expect(before).toBeGreaterThan(100);
  finish();
  await result;
  await clock.advance(60_000);
  expect(asked() - before).toBeLessThan(2);
});

test('a process that gives none, as one that is stopped, is ended', async () => {
  const { clock, result } = begin({ isAlive: false });
  await clock.advance(1_000);
  await expect(result).rejects.toThrow('no answer within 500 ms');
});

test('one that is no longer wanted is ended, whatever it is at', async () => {
  const controller = new AbortController();
  const { result } = begin({ signal: controller.signal });
  await settled();
  controller.abort();
  await expect(result).rejects.toThrow('it was stopped');
  await expect(begin({ signal: controller.signal }).result).rejects.toThrow('it was stopped');
});
