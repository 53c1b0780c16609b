import { expect, test } from 'vitest';
import { columnWidth, fittedWidths } from '../../../../src/console/parts/table/column-widths.ts';
import { columnsBetween } from '../../../../src/console/parts/table/use-visible-columns.ts';

const fonts = { cell: (text: string) => text.length * 10, head: (text: string) => text.length * 10 };
const room = 26;

test('a column is as wide as the longest of all its values', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ a: index === 7_777 ? 'x'.repeat(30) : 'x' }));
  expect(columnWidth({ name: 'a' }, rows, fonts)).toEqual({ whole: 300 + room, least: 300 + room });
});

test('numbers and dates are never cut, and texts of many characters are cut where there is no room', () => {
  const dates = [{ a: '2026-11-27T10:00:00.123456Z' }];
  expect(columnWidth({ name: 'a' }, dates, { cell: (text) => text.length * 20, head: fonts.head })).toEqual({
    whole: 540 + room,
    least: 540 + room,
  });
  const texts = [{ a: 'x'.repeat(100) }];
  expect(columnWidth({ name: 'a' }, texts, fonts)).toEqual({ whole: 1_000 + room, least: 420 });
  expect(columnWidth({ name: 'a'.repeat(20) }, [{ a: 1 }], fonts).least).toBeGreaterThan(200);
});

test('cut columns grow into free room, those that need least first', () => {
  const columns = [
    { whole: 100, least: 100 },
    { whole: 500, least: 420 },
    { whole: 900, least: 420 },
  ];
  expect(fittedWidths(columns, 2_000)).toEqual([100, 500, 900]);
  expect(fittedWidths(columns, 1_200)).toEqual([100, 500, 600]);
  expect(fittedWidths(columns, 300)).toEqual([100, 420, 420]);
});

test('the columns in view are those of which anything is', () => {
  expect(columnsBetween([100, 100, 100, 100], 150, 250)).toEqual({ first: 1, last: 3 });
  expect(columnsBetween([100, 100], -300, 1_000)).toEqual({ first: 0, last: 2 });
  expect(columnsBetween([], 0, 100)).toEqual({ first: 0, last: 0 });
});
