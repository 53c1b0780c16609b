import { expect, test } from 'vitest';
import { changeOf, drawnData } from '../../../../src/console/parts/chart/drawn-data.ts';
import { stacked } from '../../../../src/console/parts/chart/stack.ts';
import { changeText, unitOf, valueText } from '../../../../src/console/parts/chart/units.ts';

const series = [
  { name: 'a', values: [1, null, 2] },
  { name: 'b', values: [3, 4, null] },
  { name: 'c', values: [5, 5, 5] },
];
const all = () => true;

test('stacked series stand on those before them, and gaps stay gaps', () => {
  expect(stacked(series, all)).toEqual([
    [1, null, 2],
    [4, 4, null],
    [9, 9, 7],
  ]);
});

test('areas have no gaps where other series have values', () => {
  expect(stacked([...series, { name: 'd', values: [null, null, null] }], all, true)[1]).toEqual([4, 4, 2]);
  expect(stacked([{ name: 'a', values: [1, null] }], all, true)).toEqual([[1, null]]);
});

test('without a hidden series, those above it stand lower', () => {
  expect(stacked(series, ({ name }) => name !== 'b')).toEqual([
    [1, null, 2],
    [null, null, null],
    [6, 5, 7],
  ]);
});

test('negative numbers are stacked below zero', () => {
  const mixed = [
    { name: 'a', values: [2] },
    { name: 'b', values: [-1] },
    { name: 'c', values: [3] },
    { name: 'd', values: [-4] },
  ];
  expect(stacked(mixed, all)).toEqual([[2], [-1], [5], [-5]]);
});

const data = { times: [0, 60, 120], series, omitted: 0 };

test('a series keeps its place when others are hidden', () => {
  const { series: drawn } = drawnData({ data, type: 'bars', hidden: new Set(['a']) });
  expect(drawn.map(({ name, place, isShown }) => [name, place, isShown])).toEqual([
    ['a', 0, false],
    ['b', 1, true],
    ['c', 2, true],
  ]);
  expect(drawn[2]?.ends).toEqual([8, 9, 5]);
});

test('the period before is a line of the sums of the shown series, at the present times', () => {
  const before = {
    times: [1, 59, 200],
    series: [
      { name: 'a', values: [1, 1, 1] },
      { name: 'b', values: [9, 9, 9] },
    ],
    omitted: 0,
  };
  const drawn = drawnData({ data, before, type: 'bars', hidden: new Set(['b', 'c']) });
  expect(drawn.times).toEqual([0, 60, 120, 200]);
  expect(drawn.series.at(-1)).toMatchObject({ isBefore: true, values: [1, 1, undefined, 1] });
  // Not null: a time of another series breaks no line.
  expect(drawn.series[0]?.ends).toEqual([1, null, 2, undefined]);
  expect(changeOf(drawn)).toBe('±0 %');
  const lines = drawnData({ data, before, type: 'lines', hidden: new Set() });
  expect(lines.series.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'a before', 'b before']);
});

test.each([
  [110, 100, '+10 %'],
  [50, 100, '−50 %'],
  [0, 0, '±0 %'],
  [5, 0, 'none before'],
])('%d after %d is %s', (now, before, text) => {
  expect(changeText(now, before)).toBe(text);
});

test('numbers have the unit that all their columns name', () => {
  expect(unitOf(['bytes_sent', 'received_bytes'])).toBe('bytes');
  expect(unitOf(['duration_ms', 'bytes'])).toBeUndefined();
  expect(unitOf([])).toBeUndefined();
  expect(valueText(-1_500_000, 'bytes')).toBe('-1.5 MB');
  expect(valueText(1_234.5, 'milliseconds', 'short')).toBe('1.2 s');
  expect(valueText(0, 'bytes')).toBe('0');
  expect(valueText(12_345, undefined)).toBe('12,345');
  expect(valueText(12_345, undefined, 'short')).toBe('12.35K');
});
