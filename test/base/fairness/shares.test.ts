import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Shares } from '../../../src/base/fairness/shares.ts';

const anAccount = fc.record({ key: fc.constantFrom('a', 'b', 'c'), subject: fc.constantFrom('', 'x', 'y') });

test('whoever asks gets as much as others have, and takes nothing from those who have less', () => {
  fc.assert(
    fc.property(fc.array(anAccount, { maxLength: 100 }), fc.integer({ min: 1, max: 12 }), (asking, most) => {
      const shares = new Shares<number>();
      const held = new Map<number, (typeof asking)[number]>();
      for (const [item, account] of asking.entries()) {
        if (shares.size >= most) {
          const yielding = shares.toYield(account);
          const own = shares.sizeOf(account.key);
          const largest = Math.max(...['a', 'b', 'c'].map((key) => shares.sizeOf(key)));
          if (yielding === undefined) {
            expect(largest).toBeLessThanOrEqual(own + 1);
            continue;
          }
          expect(held.get(yielding.item)).toEqual(yielding.account);
          if (yielding.account.key !== account.key)
            expect(shares.sizeOf(yielding.account.key)).toBeGreaterThan(own + 1);
          shares.delete(yielding.account, yielding.item);
          held.delete(yielding.item);
        }
        shares.add(account, item);
        held.set(item, account);
        expect(shares.size).toBe(held.size);
      }
    }),
  );
});

test('the newest item of the largest holder is given up that may be', () => {
  const shares = new Shares<string>();
  const [a, b] = [
    { key: 'a', subject: '' },
    { key: 'b', subject: '' },
  ];
  for (const item of ['a1', 'a2', 'a3']) shares.add(a, item);
  expect(shares.toYield(b)?.item).toBe('a3');
  expect(shares.toYield(b, 1, (item) => item !== 'a3')?.item).toBe('a2');
  expect(shares.toYield(b, 3)).toBeUndefined();
  expect(shares.toYield(a)).toBeUndefined();
  expect(shares.toYield({ key: 'a', subject: 'x' })?.item).toBe('a3');
});
