import { expect, test } from 'vitest';
import { timeSteps, valueSteps } from '../../../../src/console/parts/chart/tick-steps.ts';

const day = 86_400;

test('times of days have no ticks within a day, whatever other times have', () => {
  expect(timeSteps([10 * day, 11 * day, 13 * day])[0]).toBe(day);
  expect(timeSteps([3_600, 7_200])[0]).toBe(3_600);
  expect(timeSteps([10 * day, 11 * day + 7])[0]).toBe(1);
  expect(timeSteps([10 * day])[0]).toBe(1);
  expect(timeSteps([0.5, 1])[0]).toBe(0.001);
});

test('there are ticks for spans of centuries', () => {
  expect(timeSteps([0]).at(-1)).toBeGreaterThan(300 * 365 * day);
});

test('what is counted has no ticks between whole numbers', () => {
  expect(valueSteps([{ values: [1, null, 3] }])[0]).toBe(1);
  expect(valueSteps([{ values: [0.5, 3] }])[0]).toBeLessThan(0.01);
});
