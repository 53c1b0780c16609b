import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockEdits } from '../../../../src/engines/bigquery/sql/prepare-text.ts';
import { edited } from '../../../../src/engines/bigquery/text/text-edits.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { queryOnly } from '../../../../src/sql/text/query-only.ts';

const now = BigInt(Date.UTC(2025, 10, 20)) * 1000n;
const time = "TIMESTAMP '2025-11-20T00:00:00+00'".replace('T0', ' 0');

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

async function held(sql: string, functionsEnd = 0): Promise<string> {
  const parsed = await analyzer.parse(queryOnly({ sql, functionsEnd }));
  return edited(sql, clockEdits({ sql, functionsEnd }, parsed, now)).text;
}

test.each([
  ["SELECT 'é', current_timestamp()", `SELECT 'é', TIMESTAMP(${time})`],
  ['SELECT CURRENT_DATE', `SELECT DATE(${time})`],
  ["SELECT CURRENT_DATE /*(*/ ( ('UTC') )", `SELECT DATE /*(*/ (${time},  ('UTC') )`],
  ['SELECT `current_time`(@zone)', `SELECT TIME(${time}, @zone)`],
  ["SELECT SAFE.CURRENT_DATETIME('x')", `SELECT SAFE.DATETIME(${time}, 'x')`],
  [
    'SELECT CURRENT_DATE((SELECT STRING(CURRENT_TIME())))',
    `SELECT DATE(${time}, (SELECT STRING(TIME(${time}))))`,
  ],
  [
    "SELECT 'CURRENT_DATE()', t.`current_date`, x.current_date FROM t -- CURRENT_DATE()",
    "SELECT 'CURRENT_DATE()', t.`current_date`, x.current_date FROM t -- CURRENT_DATE()",
  ],
])('%s sees the given time', async (sql, expected) => {
  expect(await held(sql)).toBe(expected);
});

test('in the definition of a function, the present can not be given', async () => {
  const definition = 'CREATE TEMP FUNCTION today() AS (CURRENT_DATE());\n';
  await expect(held(`${definition}SELECT today()`, definition.length)).rejects.toThrow(
    'CURRENT_DATE in the definition of a function, at a time that is given',
  );
});
