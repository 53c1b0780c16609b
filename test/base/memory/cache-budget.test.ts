import { expect, test } from 'vitest';
import { CacheBudget } from '../../../src/base/memory/cache-budget.ts';

const account = (key: string, subject = '') => ({ key, subject });

test('a key that fills the cache evicts its own values, the least recently used first', () => {
  const budget = new CacheBudget({ name: 'results', maxBytes: 100_000 });
  const table = budget.table<{ of: string }>();
  for (let index = 0; index < 5; index++) table.set(`other ${index}`, { of: 'b' }, 5_000, account('b'));
  for (let index = 0; index < 100; index++) {
    table.set(`flood ${index}`, { of: 'a' }, 5_000, account('a', `${index % 3}`));
  }
  const left = [...table.values()].map(({ of }) => of);
  expect(left.filter((of) => of === 'b')).toHaveLength(5);
  expect(table.peek('flood 99')).toBeDefined();
  expect(table.peek('flood 0')).toBeUndefined();
  expect(budget.bytes).toBeLessThanOrEqual(100_000);
  expect(budget.state).toMatchObject({ name: 'results', usedBytes: budget.bytes });
  table.clear();
  expect([budget.bytes, table.size]).toEqual([0, 0]);
});

test('a table has its share at most, and a value that another key replaces counts for that one', () => {
  const budget = new CacheBudget({ name: 'results', maxBytes: 100_000 });
  const half = budget.table<object>(1 / 2);
  for (let index = 0; index < 100; index++) half.set(`${index}`, {}, 5_000, account('a'));
  expect(budget.bytes).toBeLessThanOrEqual(50_000);
  half.clear();
  half.set('x', {}, 1_000, account('a'));
  const one = budget.bytes;
  half.set('x', {}, 1_000, account('b'));
  expect(budget.bytes).toBe(one);
  expect(half.size).toBe(1);
});
