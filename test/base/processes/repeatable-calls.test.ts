import { beforeEach, expect, test } from 'vitest';
import { never } from '../../../src/base/async/race-with-abort.ts';
import { RepeatableCalls } from '../../../src/base/processes/repeatable-calls.ts';
import { Spare } from '../../../src/base/processes/spare.ts';
import { ProcessEndedError } from '../../../src/base/processes/supervised.ts';
import { ManualClock, settled } from '../../calls/executor/support/manual-clock.ts';
import { FakeProcess } from './support/fake-process.ts';

let shared: FakeProcess;
let spares: FakeProcess[];
let calls: RepeatableCalls<FakeProcess>;
beforeEach(() => {
  shared = new FakeProcess();
  spares = [];
  calls = new RepeatableCalls({
    current: async () => shared,
    isolation: new Spare(async () => {
      const process = new FakeProcess();
      spares.push(process);
      return process;
    }),
    blamed: () => new Error('it ended two processes'),
    busy: () => new Error('there is no time'),
    clock: new ManualClock(),
  });
});

/** Goes on until its process ends. */
async function underWay(process: FakeProcess): Promise<never> {
  await process.exited;
  throw new ProcessEndedError();
}
/** Is answered by any process but the one that all share. */
const innocent = async (process: FakeProcess) => (process === shared ? underWay(process) : 'answered');
async function hostile(process: FakeProcess): Promise<never> {
  await process.end('signal SIGSEGV');
  throw new ProcessEndedError();
}

test('a call that does not end its process is made once, and blocks nobody', async () => {
  expect(await calls.make('a', never, async (process) => process)).toBe(shared);
  await expect(calls.make('a', never, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(spares).toEqual([]);
});

test('calls under way are made again when the process ends, and the one to blame is refused', async () => {
  const others = [calls.make('a', never, innocent), calls.make('b', never, innocent)];
  await settled();
  await expect(calls.make('bad', never, hostile)).rejects.toThrow('it ended two processes');
  expect(await Promise.all(others)).toEqual(['answered', 'answered']);
  const ended = spares.length;
  await expect(calls.make('bad', never, hostile)).rejects.toThrow('it ended two processes');
  expect(spares).toHaveLength(ended);
});

test('a call is not made again whose caller has left', async () => {
  const leaving = new AbortController();
  const left = calls.make('a', leaving.signal, underWay);
  await settled();
  leaving.abort(new Error('left'));
  await shared.end('signal SIGSEGV');
  await expect(left).rejects.toThrow('left');
  expect(spares).toEqual([]);
});
