import { expect, test } from 'vitest';
import { bodies, type ReadyBody } from '../../../src/calls/executor/flights/bodies.ts';

const body: ReadyBody = { bytes: Buffer.from('{}'), etag: '"a"', headers: [] };
const never = new AbortController().signal;

test('a body is made for the first caller, and continues while anybody waits', async () => {
  const made = bodies();
  const end = Promise.withResolvers<ReadyBody>();
  const signals: AbortSignal[] = [];
  const make = (signal: AbortSignal) => {
    signals.push(signal);
    return end.promise;
  };
  const leaving = new AbortController();
  const [first, second] = [made.make('plain', leaving.signal, make), made.make('plain', never, make)];
  await new Promise(setImmediate);
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  end.resolve(body);
  expect(await second).toBe(body);
  expect(made.get('plain')).toBe(body);
});

test('it is aborted when the last waiter leaves, and made again for later callers', async () => {
  const made = bodies();
  const leaving = new AbortController();
  let isGivenUp = false;
  const left = made.make('plain', leaving.signal, async (signal) => {
    signal.addEventListener('abort', () => (isGivenUp = true));
    return new Promise<never>(() => {});
  });
  await new Promise(setImmediate);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(isGivenUp).toBe(true);
  expect(await made.make('plain', never, async () => body)).toBe(body);
});

test("another result's body of the same variant is another one", async () => {
  const other = { ...body };
  const [one, two] = [bodies(), bodies()];
  const both = [one.make('plain', never, async () => body), two.make('plain', never, async () => other)];
  expect(await Promise.all(both)).toEqual([body, other]);
  expect(two.get('plain')).toBe(other);
});
