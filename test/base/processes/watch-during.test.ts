import { expect, test } from 'vitest';
import { watchDuring } from '../../../src/base/processes/watch-during.ts';
import { ManualClock, settled } from '../../calls/executor/support/manual-clock.ts';
import { FakeProcess } from './support/fake-process.ts';

const readMemory = async () => 1;

function begin({ isAlive = true, signal = new AbortController().signal } = {}) {
  const clock = new ManualClock(0);
  const process = new FakeProcess();
  const { promise: work, resolve: finish, reject } = Promise.withResolvers<void>();
  void process.exited.then((reason) => reject(new Error(reason)));
  let pings = 0;
  const sendPing = () => {
    pings++;
    return isAlive ? Promise.resolve() : new Promise<void>(() => {});
  };
  const result = watchDuring(
    process,
    work,
    { heartbeatMs: 100, maxMissed: 5, sendPing, readMemory },
    clock,
    signal,
  );
  result.catch(() => {});
  return { clock, process, finish, result, pings: () => pings };
}

test('the first work may take long while the process answers; watching ends with it', async () => {
  const { clock, finish, result, pings } = begin();
  await clock.advance(60_000);
  const before = pings();
  expect(before).toBeGreaterThan(100);
  finish();
  await result;
  await clock.advance(60_000);
  expect(pings() - before).toBeLessThan(2);
});

test('a process that does not answer, such as a stopped one, is ended', async () => {
  const { clock, result } = begin({ isAlive: false });
  await clock.advance(1_000);
  await expect(result).rejects.toThrow('no answer within 500 ms');
});

test('an aborted process is ended at any time', async () => {
  const controller = new AbortController();
  const { result } = begin({ signal: controller.signal });
  await settled();
  controller.abort();
  await expect(result).rejects.toThrow('it was stopped');
  await expect(begin({ signal: controller.signal }).result).rejects.toThrow('it was stopped');
});
