import { expect, test } from 'vitest';
import { FairLimit } from '../../src/fairness/fair-limit.ts';

const account = (key: string, subject = '') => ({ key, subject });

/** Tasks that take some time, and the order in which they ran. */
function setUp() {
  let now = 0;
  const limit = new FairLimit(() => now);
  const order: string[] = [];
  const run = (key: string, name: string, ms: number, signal?: AbortSignal) =>
    limit.run(
      account(key),
      async () => {
        now += ms;
        order.push(name);
      },
      signal,
    );
  return { limit, order, run };
}

test('one task runs at a time, and accounts take turns by the time of their tasks', async () => {
  const { order, run } = setUp();
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => run('a', name, 100)),
    ...['b1', 'b2', 'b3'].map((name) => run('b', name, 10)),
  ]);
  expect(order).toEqual(['a1', 'b1', 'b2', 'b3', 'a2', 'a3']);
});

test('a failed task lets the next one run, and one whose caller leaves does not run', async () => {
  const { limit, order, run } = setUp();
  const leaving = new AbortController();
  const failed = limit.run(account('a'), () => Promise.reject(new Error('failed')));
  const left = run('a', 'left', 1, leaving.signal);
  const next = run('a', 'next', 1);
  leaving.abort(new Error('left'));
  await expect(failed).rejects.toThrow('failed');
  await expect(left).rejects.toThrow('left');
  await next;
  await run('a', 'last', 1);
  expect(order).toEqual(['next', 'last']);
});
