import { describe, expect, it } from 'vitest';
import { isBusy, waitForQuiet } from '../../../bench/report/quiet-machine.ts';

/** Waits on a machine of which others use these parts of the time, five seconds each, and the last one for ever. */
async function waited(used: readonly number[], maxSeconds = 120) {
  const printed: string[] = [];
  let [milliseconds, all, idle] = [0, 0, 0];
  const usedByOthers = await waitForQuiet({
    ticks: async () => ({ all, idle }),
    sleep: async (passed) => {
      const now = used[Math.floor(milliseconds / 5000)] ?? used.at(-1) ?? 0;
      milliseconds += passed;
      all += passed;
      idle += passed * (1 - now);
    },
    print: (text) => printed.push(text.trim()),
    maxSeconds,
  });
  return { usedByOthers: Number(usedByOthers?.toFixed(3)), seconds: milliseconds / 1000, printed };
}

describe('waiting for a quiet machine', () => {
  it('takes one look when it is quiet, whatever it did before', async () => {
    expect(await waited([0.03, 1])).toEqual({ usedByOthers: 0.03, seconds: 5, printed: [] });
  });

  it('lasts until others leave it alone', async () => {
    expect(await waited([0.9, 0.5, 0.26, 0.24, 1])).toEqual({
      usedByOthers: 0.24,
      seconds: 20,
      printed: ['others use 90 % of the processor time: waiting for up to 120 s'],
    });
  });

  it('ends when others never do', async () => {
    const { usedByOthers, seconds, printed } = await waited([0.6]);
    expect({ usedByOthers, seconds }).toEqual({ usedByOthers: 0.6, seconds: 120 });
    expect(printed.at(-1)).toBe('others use 60 % of the processor time: measured all the same');
  });

  it('is a single look when there is no time to wait', async () => {
    expect(await waited([0.6], 0)).toMatchObject({ usedByOthers: 0.6, seconds: 5 });
  });

  it('ends at once where the system does not tell', async () => {
    const [ticks, sleep] = [async () => undefined, async () => undefined];
    expect(await waitForQuiet({ ticks, sleep, print: () => undefined, maxSeconds: 120 })).toBeUndefined();
  });

  it('is for a machine of which others use more than a quarter', () => {
    expect([isBusy(0.25), isBusy(0.251)]).toEqual([false, true]);
  });
});
