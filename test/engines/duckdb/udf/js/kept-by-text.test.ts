import { expect, test } from 'vitest';
import { keptByText } from '../../../../../src/engines/duckdb/udf/js/kept-by-text.ts';

/** Counts what is made. */
function counting(most?: number) {
  const made: string[] = [];
  const kept = keptByText((text) => {
    made.push(text.slice(0, 5));
    return { length: text.length };
  }, most);
  return { made, kept };
}

test('a result is made once for a text', () => {
  const { made, kept } = counting();
  expect(kept('a')).toBe(kept('a'));
  expect(made).toEqual(['a']);
});

test('what is kept of long texts, and of many, is bounded', () => {
  const long = counting();
  const texts = ['1', '2', '3', '4'].map((digit) => digit.padEnd(400_000, 'x'));
  for (const text of texts) long.kept(text);
  for (const text of [...texts].reverse()) long.kept(text);
  // Of four, two fit at a time.
  expect(long.made.map(([digit]) => digit)).toEqual(['1', '2', '3', '4', '2', '1']);
  const huge = counting();
  for (let round = 0; round < 2; round++) huge.kept('x'.repeat(1_000_001));
  expect(huge.made).toHaveLength(2);
  const many = counting(3);
  for (const text of ['a', 'b', 'c', 'd', 'c', 'd']) many.kept(text);
  expect(many.made).toEqual(['a', 'b', 'c', 'd', 'c']);
});
