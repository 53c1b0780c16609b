import { expect, it } from 'vitest';
import { lower, upper } from '../../../../src/engines/duckdb/macros/letter-case.ts';
import { planningWork, refuseLongPlanning } from '../../../../src/engines/duckdb/run/planning-work.ts';

const nested = (call: (inner: string) => string, times: number) =>
  Array.from({ length: times }).reduce<string>((inner) => call(inner), 'c1');

it('grows with depth faster than with length', () => {
  const deep = planningWork(nested((inner) => `abs(${inner})`, 200));
  expect(deep).toBeGreaterThan(5 * planningWork(`${'abs(c1), '.repeat(200)}c1`));
});

it('counts the body of a macro', () => {
  expect(planningWork(upper.call(['c1']))).toBeGreaterThan(2 * planningWork('upper(c1)'));
});

it('does not count what stands in quotes', () => {
  expect(planningWork(`SELECT '((''(((', "((" FROM t`)).toBe(0);
});

it('refuses what DuckDB would plan for seconds', () => {
  expect(() => refuseLongPlanning(nested((inner) => lower.call([inner]), 20))).not.toThrow();
  expect(() => refuseLongPlanning(nested((inner) => lower.call([`row(${inner})`]), 300))).toThrow(
    'too complex',
  );
});
