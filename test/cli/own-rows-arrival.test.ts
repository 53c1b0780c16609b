import { expect, test } from 'vitest';
import { ownRowsArrival } from '../../src/cli/dev/dev.ts';

test('own rows are seen when an import has left the store', async () => {
  const states = ['', 'importing', 'imported'];
  const answers = [() => Promise.reject(new Error('an import has the store')), () => Promise.resolve(true)];
  const look = {
    state: async () => states.shift() ?? 'imported',
    hasOwnRows: () => answers.shift()?.() ?? Promise.resolve(false),
    intervalMs: 1,
  };
  expect(await ownRowsArrival(look, new AbortController().signal)).toBe(true);
  expect(answers).toEqual([]);
});

test('a store that does not change is not opened, and the wait ends with the signal', async () => {
  const stop = new AbortController();
  let looks = 0;
  let opened = 0;
  const look = {
    async state() {
      if (++looks === 5) stop.abort();
      return 'old';
    },
    async hasOwnRows() {
      opened += 1;
      return true;
    },
    intervalMs: 1,
  };
  expect(await ownRowsArrival(look, stop.signal)).toBe(false);
  expect(opened).toBe(0);
});
