import { describe, expect, it } from 'vitest';
import { dueTime, retryDelay } from '../../../src/calls/warming/warmer.ts';

const interval = 300_000;

describe('when an entry is due', () => {
  const madeAt = 1_000_000;

  it.each([0, 10, 5_000, 70_000])(
    'its rows are younger than the interval after a run of %d ms',
    (engineMs) => {
      for (const jitter of [0, 0.5, 1]) {
        const due = dueTime({ madeAt, engineMs }, interval, jitter);
        // From the moment at which the old rows were read to the one at which the new ones are there.
        expect(due + engineMs - (madeAt - engineMs)).toBeLessThan(interval);
      }
    },
  );

  it('hardly before it has to be', () => {
    expect(dueTime({ madeAt, engineMs: 10 }, interval, 0)).toBeGreaterThan(madeAt + interval - 500);
    expect(dueTime({ madeAt, engineMs: 10 }, 1_000, 0.5)).toBeGreaterThan(madeAt + 700);
  });

  it('is not the same for all that were made at the same time', () => {
    const dues = [0, 0.25, 0.5, 0.75, 1].map((jitter) => dueTime({ madeAt, engineMs: 10 }, interval, jitter));
    expect(new Set(dues).size).toBe(5);
  });

  it('leaves at least half of the interval between runs, however long they take', () => {
    expect(dueTime({ madeAt, engineMs: 400_000 }, interval, 1)).toBe(madeAt + interval / 2);
  });
});

describe('after a failure', () => {
  it('waits twice as long each time, up to a minute', () => {
    const delays = Array.from({ length: 9 }, (_, index) => retryDelay(index + 1, interval, 0) / 1000);
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('waits less for short intervals, with jitter', () => {
    expect([1, 2, 3, 4].map((failures) => retryDelay(failures, 1_000, 0))).toEqual([250, 500, 500, 500]);
    expect(retryDelay(1, interval, 1)).toBe(750);
  });
});
