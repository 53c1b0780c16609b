import { beforeEach, describe, expect, test } from 'vitest';
import { Spare } from '../../../src/base/processes/spare.ts';
import { Suspects } from '../../../src/base/processes/suspects.ts';
import { ManualClock, settled } from '../../calls/executor/support/manual-clock.ts';
import { FakeProcess } from './support/fake-process.ts';

class TooMuch extends Error {}

let clock: ManualClock;
let started: FakeProcess[];
let spare: Spare<FakeProcess>;
let suspects: Suspects<FakeProcess>;
beforeEach(() => {
  clock = new ManualClock();
  started = [];
  spare = new Spare(async () => {
    const process = new FakeProcess();
    started.push(process);
    return process;
  });
  const isToBlame = (error: unknown) => error instanceof TooMuch;
  suspects = new Suspects({ isolation: spare, isToBlame, refusedForMs: 60_000, clock });
});

/** Ends the process that it has for itself. */
async function hostile(process: FakeProcess): Promise<never> {
  await process.end('signal SIGSEGV');
  throw new TooMuch('it took too much');
}

test('suspects run one at a time, those first that had taken least', async () => {
  const begun: string[] = [];
  let atOnce = 0;
  const calls = [50, 10, 30].map((spentMs) =>
    suspects.again(`${spentMs}`, spentMs, async () => {
      begun.push(`${spentMs}`);
      expect(++atOnce).toBe(1);
      await settled();
      atOnce--;
      return spentMs;
    }),
  );
  expect(await Promise.all(calls)).toEqual([50, 10, 30]);
  expect(begun).toEqual(['10', '30', '50']);
});

test('they share a process, which ends when none is left', async () => {
  const processes = await Promise.all(
    [1, 2, 3].map((n) => suspects.again('', n, async (process) => process)),
  );
  expect(new Set(processes).size).toBe(1);
  expect(await processes[0]?.exited).toBe('it is no longer needed');
});

test('one that ends that process is to blame, and harms no other', async () => {
  const calls = [
    suspects.again('good', 10, async () => 'good'),
    suspects.again('bad', 20, hostile),
    suspects.again('better', 30, async () => 'better'),
  ];
  const blamed = expect(calls[1]).rejects.toThrow(TooMuch);
  expect(await calls[0]).toBe('good');
  await blamed;
  expect(await calls[2]).toBe('better');
  expect(started).toHaveLength(2);
});

describe('a call that is to blame', () => {
  beforeEach(() => expect(suspects.again('bad', 0, hostile)).rejects.toThrow(TooMuch));

  test('is refused for a while', async () => {
    await clock.advance(59_999);
    expect(() => suspects.refuseBlamed('bad')).toThrow(new TooMuch('it took too much'));
    expect(() => suspects.refuseBlamed('good')).not.toThrow();
    expect(() => suspects.refuseBlamed(undefined)).not.toThrow();
    await clock.advance(1);
    expect(() => suspects.refuseBlamed('bad')).not.toThrow();
  });

  test('ends no second process when it is repeated, and is not refused for longer', async () => {
    await clock.advance(30_000);
    await expect(suspects.again('bad', 0, hostile)).rejects.toThrow(TooMuch);
    expect(started).toHaveLength(1);
    await clock.advance(30_000);
    expect(() => suspects.refuseBlamed('bad')).not.toThrow();
  });

  test('is blamed again if it ends another process', async () => {
    await clock.advance(60_000);
    await expect(suspects.again('bad', 0, hostile)).rejects.toThrow(TooMuch);
    expect(() => suspects.refuseBlamed('bad')).toThrow(TooMuch);
  });
});

test('a call that waits several times ends one process', async () => {
  const calls = [1, 2, 3].map((spentMs) => suspects.again('bad', spentMs, hostile));
  for (const call of calls) call.catch(() => {});
  const good = suspects.again('good', 4, async () => 'good');
  for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
  expect(await good).toBe('good');
  expect(started).toHaveLength(2);
});

test('a call that merely fails is not to blame', async () => {
  const fails = () => Promise.reject(new Error('wrong'));
  await expect(suspects.again('wrong', 0, fails)).rejects.toThrow('wrong');
  expect(() => suspects.refuseBlamed('wrong')).not.toThrow();
});

test('all fail at once if no process can be started', async () => {
  let tries = 0;
  const isolation = {
    alone() {
      tries++;
      return Promise.reject(new Error('none'));
    },
  };
  const waiting = new Suspects({ isolation, isToBlame: () => false, refusedForMs: 1, clock });
  const calls = [1, 2, 3].map((spentMs) => waiting.again('', spentMs, async () => 1));
  for (const call of calls) await expect(call).rejects.toThrow('none');
  expect(tries).toBe(1);
});

test('suspects fail after the spare process was closed', async () => {
  await settled();
  const waits = suspects.again('', 0, () => new Promise(() => {}));
  await settled();
  await spare.close(new Error('closed'));
  expect(await started[0]?.exited).toBe('it is no longer needed');
  await expect(Promise.race([waits, settled()])).resolves.toBeUndefined();
  const late = new Suspects({ isolation: spare, isToBlame: () => false, refusedForMs: 1, clock });
  await expect(late.again('', 0, async () => 1)).rejects.toThrow('closed');
});
