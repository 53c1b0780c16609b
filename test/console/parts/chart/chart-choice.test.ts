import { expect, test } from 'vitest';
import { type ChartChoice, chartOf, chartPairs } from '../../../../src/console/parts/chart/chart-choice.ts';
import { fits } from '../../../../src/console/parts/chart/chart-columns.ts';

const choices: readonly ChartChoice[] = [
  { type: 'bars', x: 'hour', y: ['rows', 'a&b=#%'], series: 'area' },
  { type: 'lines', x: '__proto__', y: [] },
  { type: 'number', x: '', y: ['rows'] },
];

test.each(choices)('a link keeps %j', (choice) => {
  const link = new URLSearchParams(chartPairs(choice)).toString();
  expect(chartOf(new URLSearchParams(link))).toEqual(choice);
});

test.each([
  'x=hour&y=rows',
  'chart.type=pie&chart.x=hour',
  'chart.type=constructor&chart.x=hour',
  'chart.type=bars',
  'chart.type=bars&chart.x=hour&chart.y=',
  'chart.type=bars&chart.x=hour&chart.series=',
  `chart.type=bars&chart.x=hour${Array.from({ length: 60 }, (_, index) => `&chart.y=${index}`).join('')}`,
])('%s is no chart', (link) => {
  expect(chartOf(new URLSearchParams(link))).toBeUndefined();
});

test('a choice fits while its columns are there and of its kinds', () => {
  const columns = [
    { name: 'hour', kinds: ['time'], distinct: 0 },
    { name: 'area', kinds: ['category'], distinct: 2 },
    { name: 'rows', kinds: ['number'], distinct: 0 },
  ] as const;
  const choice: ChartChoice = { type: 'area', x: 'hour', y: ['rows'], series: 'area' };
  expect(fits(choice, columns)).toBe(true);
  expect(fits({ ...choice, x: 'area', series: undefined }, columns)).toBe(false);
  expect(fits({ ...choice, type: 'bars', x: 'area', series: undefined }, columns)).toBe(true);
  expect(fits({ ...choice, y: ['area'] }, columns)).toBe(false);
  expect(fits({ ...choice, series: 'gone' }, columns)).toBe(false);
  expect(fits({ type: 'number', x: '', y: [] }, [])).toBe(true);
});
