import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextCache } from '../src/text-cache.ts';

/** A text of that length, overhead included. */
const text = (length: number, letter = 'x') => letter.repeat(length - 200);

test('what was used longest ago makes room', () => {
  const cache = new TextCache<number>(1_000);
  cache.add(text(400, 'a'), 1);
  cache.add(text(400, 'b'), 2);
  cache.get(text(400, 'a'));
  cache.add(text(400, 'c'), 3);
  expect(cache.get(text(400, 'b'))).toBeUndefined();
  expect(cache.get(text(400, 'a'))).toBe(1);
  expect(cache.get(text(400, 'c'))).toBe(3);
});

test('a text that is larger than the cache leaves the others there', () => {
  const cache = new TextCache<number>(1_000);
  cache.add(text(400, 'a'), 1);
  cache.add(text(1_001, 'b'), 2);
  expect(cache.get(text(1_001, 'b'))).toBeUndefined();
  expect(cache.get(text(400, 'a'))).toBe(1);
});

test('it never keeps more characters than it may, and what it gives is what was added', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 200, max: 1_200 }), { maxLength: 50 }), (lengths) => {
      const cache = new TextCache<number>(1_000);
      for (const length of lengths) cache.add(text(length), length);
      const kept = [...new Set(lengths)].filter((length) => cache.get(text(length)) !== undefined);
      expect(kept.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(1_000);
      for (const length of kept) expect(cache.get(text(length))).toBe(length);
    }),
  );
});

test('what was made of a text counts by the size that is told', () => {
  const cache = new TextCache<number>(1_000);
  cache.add(text(300, 'a'), 1, 500);
  cache.add(text(300, 'b'), 2);
  expect(cache.get(text(300, 'a'))).toBeUndefined();
  expect(cache.get(text(300, 'b'))).toBe(2);
  cache.add(text(300, 'c'), 3, 1_000);
  expect(cache.get(text(300, 'c'))).toBeUndefined();
});
