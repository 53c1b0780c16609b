import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { hasKey } from '../../../../src/engines/duckdb/emit/pieces/has-key.ts';

async function tableOf(rows: number) {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  await connection.run(`CREATE TABLE numbers AS SELECT i AS n FROM range(${rows}) AS of_range(i)`);
  return async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
}

test.each([
  { keys: [0n] },
  { keys: [7n, 7n, 3n] },
  { keys: [199_999n, 4n, 100_000n] },
  { keys: Array.from({ length: 500 }, (_, i) => BigInt(i) * 400n) },
  { keys: [5n, 300_000n] },
])('finds the rows of the keys and no others', async ({ keys }) => {
  const query = await tableOf(200_000);
  const found = await query(`SELECT n FROM numbers AS t WHERE ${hasKey('t.rowid', keys)} ORDER BY n`);
  const rows = [...new Set(keys)].filter((key) => key < 200_000n).sort((a, b) => Number(a - b));
  expect(found.map(([n]) => n)).toEqual(rows);
});

test('is evaluated by the scan, so that DuckDB reads other columns only where there are such rows', async () => {
  const query = await tableOf(10_000);
  const [plan] = await query(`EXPLAIN SELECT n FROM numbers AS t WHERE ${hasKey('t.rowid', [3n, 8000n])}`);
  expect(String(plan?.[1])).toMatch(/SEQ_SCAN[\s\S]*Filters:[\s\S]*rowid>=3[\s\S]*list_contains/);
  expect(String(plan?.[1])).not.toMatch(/ FILTER |JOIN/);
});
