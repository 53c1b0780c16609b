import { expect, it } from 'vitest';
import { oneAtATime } from '../../../src/cli/reload/one-at-a-time.ts';

/** A task whose runs the test ends by hand. */
function byHand() {
  const ends: (() => void)[] = [];
  const runs = oneAtATime(() => new Promise<void>((resolve) => void ends.push(resolve)));
  const end = async () => {
    ends.at(-1)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...runs, ends, end };
}

it('runs again once for all that was asked for while it ran', async () => {
  const { request, ends, end } = byHand();
  request();
  request();
  request();
  expect(ends).toHaveLength(1);
  await end();
  expect(ends).toHaveLength(2);
  await end();
  expect(ends).toHaveLength(2);
  request();
  expect(ends).toHaveLength(3);
});

it('ends what runs before it is closed, and begins nothing after that', async () => {
  const { request, close, ends, end } = byHand();
  request();
  request();
  let isClosed = false;
  const closed = close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  await end();
  await closed;
  request();
  expect(ends).toHaveLength(1);
});
