import { expect, test } from 'vitest';
import { AnswerTurns } from '../../../src/base/memory/large-answers.ts';

const { signal } = new AbortController();

test('one has the turn, keys alternate, and one who leaves is passed over', async () => {
  const turns = new AnswerTurns();
  const order: string[] = [];
  const leaving = new AbortController();
  const take = async (name: string, key: string, own = signal) => {
    using _turn = await turns.take({ key, subject: '' }, own);
    order.push(name);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const taken = [
    take('a1', 'a'),
    take('a2', 'a'),
    take('a3', 'a'),
    take('a4', 'a', leaving.signal).catch(() => 'left'),
    take('b1', 'b'),
    take('a5', 'a'),
  ];
  leaving.abort(new Error('left'));
  await Promise.all(taken);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'a5']);
});
