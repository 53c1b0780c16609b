import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPlan } from '../../../../src/engines/duckdb/run/check-plan.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';

let analyzer: Analyzer;

beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

const parameters = new Map<string, SqlType>([
  ['n', { kind: 'INT64' }],
  ['part', { kind: 'FLOAT64' }],
]);

async function check(sql: string): Promise<void> {
  const statement = await analyzer.analyze(sql, { catalog: { tables: [] }, parameters });
  await checkPlan(newPlan({ isCallers: false, sql, statement, columns: [], parameters }));
}

test.each([
  'SELECT x FROM UNNEST([1, 2]) AS x LIMIT @n OFFSET @N',
  'SELECT NTILE(@n) OVER (ORDER BY x) AS tile FROM UNNEST([1, 2]) AS x',
  'SELECT LAG(x, @n) OVER (ORDER BY x) AS earlier FROM UNNEST([1, 2]) AS x',
  'SELECT APPROX_QUANTILES(x, @n) AS bounds FROM UNNEST([1, 2]) AS x',
  'SELECT PERCENTILE_CONT(x, @part) OVER () AS median FROM UNNEST([1, 2]) AS x',
])('unknown values of parameters are no reason to refuse %s', async (sql) => {
  await expect(check(sql)).resolves.toBeUndefined();
});

test('what no value makes right is refused', async () => {
  await expect(check('SELECT x FROM UNNEST([1]) AS x WHERE x > @n LIMIT (SELECT 1)')).rejects.toThrow();
  await expect(
    check('SELECT NTILE(x) OVER (ORDER BY x) AS t FROM UNNEST([1]) AS x WHERE x > @n'),
  ).rejects.toThrow();
});

test('what every call would find too complex is refused, unless constants could make it simpler', async () => {
  const query = (text: string) =>
    `SELECT ${'UPPER('.repeat(200)}${text}${')'.repeat(200)} AS x FROM UNNEST(['a']) AS s`;
  await expect(check(query('s'))).rejects.toThrow('The query is too complex');
  await expect(check(query("'a'"))).resolves.toBeUndefined();
});

test('windows over each other, which DuckDB would plan for minutes, are refused; as many beside each other are not', async () => {
  const chain = (levels: number) =>
    Array.from({ length: levels }).reduce<string>(
      (rows, _, i) => `(SELECT *, SUM(x) OVER (PARTITION BY x) AS s${i} FROM ${rows})`,
      'UNNEST([1, 2]) AS x',
    );
  await expect(check(`SELECT * FROM ${chain(40)}`)).rejects.toThrow('The query is too complex');
  await expect(check(`SELECT * FROM ${chain(10)}`)).resolves.toBeUndefined();
  const beside = Array.from({ length: 60 }, (_, i) => `SUM(x + ${i}) OVER (PARTITION BY x) AS s${i}`);
  await expect(check(`SELECT ${beside.join(', ')} FROM UNNEST([1, 2]) AS x`)).resolves.toBeUndefined();
});
