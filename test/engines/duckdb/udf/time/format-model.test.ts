import { expect, test } from 'vitest';
import { readByModel } from '../../../../../src/engines/duckdb/udf/time/format-model-parser.ts';

const secondsOf = (text: string, element: string) =>
  Number(readByModel(text, 'TIME', `HH24:MI:SS.${element}`, 'UTC', 0n) % 86_400_000_000n) / 1e6;

test.each([
  ['00:00:12.36', 'FF1', 12.4],
  ['00:00:12.34', 'FF1', 12.3],
  ['00:00:59.96', 'FF1', 60],
  ['00:00:12.3456', 'FF3', 12.346],
  ['00:00:12.3', 'FF3', 12.3],
  ['00:00:12.123456789', 'FF9', 12.123456],
])('a fraction with more digits than its element is rounded: %s, %s', (text, element, seconds) => {
  expect(secondsOf(text, element)).toBe(seconds);
});

test('a fraction that would be rounded to the next day is refused', () => {
  expect(() => secondsOf('23:59:59.96', 'FF1')).toThrow('rounded to the next day');
});
