import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { readProfile } from '../../../../src/engines/duckdb/profile/read-profile.ts';
import type { ProfileStep } from '../../../../src/engines/engine/profile.ts';

/** The profile of a query, as DuckDB tells it. */
async function profileOf(sql: string) {
  const instance = await DuckDBInstance.create(':memory:');
  onTestFinished(() => instance.closeSync());
  const connection = await instance.connect();
  await connection.run('CREATE TABLE t AS SELECT range AS a, range % 7 AS b FROM range(1000)');
  const rows = await connection.runAndReadAll(`EXPLAIN (ANALYZE, FORMAT json) ${sql}`);
  return readProfile(String(rows.getRows()[0]?.[1]));
}

function all(steps: readonly ProfileStep[]): readonly ProfileStep[] {
  return steps.flatMap((step) => [step, ...all(step.children)]);
}

test('the steps of a run have their rows, what they read, and their time', async () => {
  const { milliseconds, steps } = await profileOf('SELECT b, count(*) AS n FROM t WHERE a >= 500 GROUP BY b');
  expect(milliseconds).toBeGreaterThan(0);
  expect(steps).toHaveLength(1);
  const scan = all(steps).find(({ name }) => name.includes('SCAN'));
  expect(scan).toMatchObject({ rows: 500, scanned: 1000, children: [] });
  expect(scan?.details.map(({ name }) => name)).toContain('Filters');
  const groups = all(steps).find(({ name }) => name.includes('GROUP_BY'));
  expect(groups?.rows).toBe(7);
  expect(all(steps).every(({ milliseconds: own }) => own >= 0)).toBe(true);
  expect(all(steps).map(({ name }) => name)).not.toContain('EXPLAIN_ANALYZE');
});

test('long texts of details are cut', async () => {
  const { steps } = await profileOf(`SELECT a FROM t WHERE b::VARCHAR <> '${'x'.repeat(2000)}'`);
  const texts = all(steps).flatMap(({ details }) => details.map(({ text }) => text));
  expect(Math.max(...texts.map(({ length }) => length))).toBe(500);
});
