import { expect, test } from 'vitest';
import { FairLimit } from '../../../src/base/fairness/fair-limit.ts';

const account = (key: string, subject = '') => ({ key, subject });

/** Tasks that take some time, and the order in which they ran. */
function setUp() {
  let now = 0;
  const limit = new FairLimit({ elapsed: () => now });
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

test('a few tasks run at the same time, and each that ends makes place for another', async () => {
  const limit = new FairLimit({ atOnce: 2 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string, name: string) =>
    limit.run(account(key), () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = Promise.all([run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('a', 'a4'), run('b', 'b1')]);
  expect(begun).toEqual(['a1', 'a2']);
  ends[0]?.();
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1']);
  ends[1]?.();
  ends[2]?.();
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  for (const end of ends) end();
  await all;
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
