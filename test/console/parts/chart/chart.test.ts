import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/console/api/json.ts';
import { categoryData } from '../../../../src/console/parts/chart/category-data.ts';
import { knownColumns, proposeChart, secondsOf } from '../../../../src/console/parts/chart/chart-columns.ts';
import { timeData } from '../../../../src/console/parts/chart/chart-data.ts';

function propose(rows: readonly JsonObject[]) {
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({ name }));
  return proposeChart(knownColumns(columns, rows), rows.length);
}

const minute = (number: number) => `2026-11-27T10:0${number}:00`;

test('times and numbers are drawn over time', () => {
  expect(propose([{ timestamp: minute(0), a: 1, b: 2n }])).toEqual({
    type: 'bars',
    x: 'timestamp',
    y: ['a', 'b'],
  });
});

test('a number is split by a category that repeats', () => {
  const rows = [
    { time: minute(0), status: '200', id: 'a', count: 1 },
    { time: minute(0), status: '500', id: 'b', count: 2 },
    { time: minute(1), status: '200', id: 'c', count: 3 },
  ];
  const choice = propose(rows);
  expect(choice).toEqual({ type: 'bars', x: 'time', y: ['count'], series: 'status' });
  expect(choice && timeData(rows, choice)).toEqual({
    times: [secondsOf(minute(0)), secondsOf(minute(1))],
    series: [
      { name: '200', values: [1, 3] },
      { name: '500', values: [2, null] },
    ],
    omitted: 0,
  });
});

test('rows without numbers are counted in equal spans, which include empty ones', () => {
  const rows = [{ time: minute(0) }, { time: minute(0) }, { time: minute(5) }];
  const choice = propose(rows);
  expect(choice).toEqual({ type: 'bars', x: 'time', y: [] });
  const { times, series } = timeData(rows, { type: 'bars', x: 'time', y: [] });
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(new Set(distances).size).toBe(1);
  expect(times.length).toBeLessThanOrEqual(61);
  expect(series[0]?.values.filter((value) => value !== 0)).toEqual([2, 1]);
});

test('categories have a bar each, the longest first', () => {
  const rows = [
    { path: '/a', count: 1 },
    { path: '/b', count: 5 },
    { path: '/a', count: 2 },
  ];
  expect(propose(rows)).toEqual({ type: 'bars', x: 'path', y: ['count'] });
  expect(categoryData(rows, { type: 'bars', x: 'path', y: ['count'] })).toEqual({
    names: ['/b', '/a'],
    series: [{ name: 'count', values: [5, 3] }],
    omitted: 0,
  });
});

test('texts, nested values and ids give no chart', () => {
  expect(propose([{ message: 'x'.repeat(200), nested: [1] }])).toBeUndefined();
  expect(propose([{ id: 'a' }, { id: 'b' }])).toBeUndefined();
});

test('categories are split by series, and rows are counted without numbers', () => {
  const rows = [
    { area: 'auth', status: 500 },
    { area: 'auth', status: 200 },
    { area: 'auth', status: 500 },
    { area: 'rest', status: 200 },
  ];
  expect(categoryData(rows, { type: 'bars', x: 'area', y: [], series: 'status' })).toEqual({
    names: ['auth', 'rest'],
    series: [
      { name: '500', values: [2, null] },
      { name: '200', values: [1, 1] },
    ],
    omitted: 0,
  });
});

test('decimals that come as texts are numbers, and hashes are none', () => {
  const rows = [
    { time: minute(0), price: '1.50', hash: '5500083e' },
    { time: minute(1), price: '2', hash: '1e5' },
  ];
  const choice = propose(rows);
  expect(choice).toEqual({ type: 'bars', x: 'time', y: ['price'] });
  expect(choice && timeData(rows, choice).series).toEqual([{ name: 'price', values: [1.5, 2] }]);
});

test('whole numbers that repeat can be series, and texts of digits numbers', () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({
    status: 200 + (index % 3),
    code: String(index % 3),
    rate: index / 2,
  }));
  const known = knownColumns([{ name: 'status' }, { name: 'code' }, { name: 'rate' }], rows);
  expect(known.map(({ kinds }) => kinds)).toEqual([
    ['number', 'category'],
    ['category', 'number'],
    ['number'],
  ]);
  const typed = knownColumns([{ name: 'code', type: 'STRING' }], rows);
  expect(typed.map(({ kinds }) => kinds)).toEqual([['category']]);
});

test('a line breaks at the times of equal buckets that have no rows', () => {
  const rows = [0, 1, 4].map((number) => ({ time: minute(number), value: 1 }));
  const { times, series } = timeData(rows, { type: 'lines', x: 'time', y: ['value'] });
  expect(times).toHaveLength(5);
  expect(series[0]?.values).toEqual([1, 1, null, null, 1]);
});

test.each([
  ['2026-11-27', 1795737600],
  ['2026-11-27T00:00:01', 1795737601],
  ['2026-11-27 00:00:01', 1795737601],
  ['2026-11-27T01:00:00+01:00', 1795737600],
  ['2026-11-27T00:00:00.5Z', 1795737600.5],
])('%s is a time', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});
