import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/console/api/json.ts';
import { knownColumns, proposeChart, secondsOf } from '../../../../src/console/parts/chart/chart-columns.ts';
import { categoryData, stacked, timeData } from '../../../../src/console/parts/chart/chart-data.ts';

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
  expect(categoryData(rows, { type: 'bars', x: 'path', y: ['count'] }).bars).toEqual([
    { name: '/b', value: 5 },
    { name: '/a', value: 3 },
  ]);
});

test('texts, nested values and ids give no chart', () => {
  expect(propose([{ message: 'x'.repeat(200), nested: [1] }])).toBeUndefined();
  expect(propose([{ id: 'a' }, { id: 'b' }])).toBeUndefined();
});

test('stacked series stand on those before them, and gaps stay gaps', () => {
  const series = [
    { name: 'a', values: [1, null, 2] },
    { name: 'b', values: [3, 4, null] },
  ];
  expect(stacked(series)).toEqual([
    [1, null, 2],
    [4, 4, null],
  ]);
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
