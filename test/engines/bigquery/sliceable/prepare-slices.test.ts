import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type SliceableText,
  sliceableText,
} from '../../../../src/engines/bigquery/sliceable/prepare-slices.ts';
import { composed } from '../../../../src/engines/bigquery/sliceable/text-piece.ts';
import { edited } from '../../../../src/engines/bigquery/text/text-edits.ts';
import type { Column, SqlType } from '../../../../src/sql/values/type.ts';
import { Workbench } from '../sql/support/workbench.ts';

const string: SqlType = { kind: 'STRING' };
const array = (fields: readonly Column[]): SqlType => ({
  kind: 'ARRAY',
  element: { kind: 'STRUCT', fields },
});
const request = array([
  { name: 'path', type: string },
  { name: 'url', type: string },
]);
const columns: readonly Column[] = [
  { name: 'id', type: string },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  { name: 'n', type: { kind: 'INT64' } },
  { name: 'share', type: { kind: 'FLOAT64' } },
  { name: 'metadata', type: array([{ name: 'request', type: request }]) },
];

let workbench: Workbench;
beforeAll(async () => {
  const parameters = new Map<string, SqlType>([
    ['interval', string],
    ['project', string],
    ['since', { kind: 'TIMESTAMP' }],
  ]);
  workbench = await Workbench.open({ sources: { edge_logs: columns }, parameters });
});
afterAll(async () => workbench?.[Symbol.asyncDispose]());

async function sliceable(sql: string): Promise<SliceableText | undefined> {
  const plan = await workbench.plan(sql);
  return sliceableText(plan, await workbench.analyzer.parse(sql), workbench.analyzer);
}

/** The text of the parts, and the query over them. */
async function texts(sql: string) {
  const text = await sliceable(sql);
  if (text === undefined) return undefined;
  const merged = edited(text.sql, [...text.edits, { ...text.from, text: 'FROM parts' }]).text;
  const plainly = (each: string) => each.replaceAll(/\s+/g, ' ').replaceAll('gateway_', '').trim();
  return { part: plainly(composed(text.part, text.sql, [])), merged: plainly(merged) };
}

const where = 'WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)';
const from = `FROM logs.edge_logs ${where}`;

describe('a query over parts', () => {
  test('merges each aggregate by its own, and averages by sums and numbers', async () => {
    const selected =
      'COUNT(*), COUNT(n) AS c, COUNTIF(n > 1), SUM(n), MIN(id), MAX(n), AVG(n) + 1, LOGICAL_OR(n > 2), BIT_XOR(n)';
    expect(await texts(`SELECT ${selected} ${from}`)).toEqual({
      part: `SELECT COUNT(*) AS a0, COUNT(n) AS a1, COUNTIF(n > 1) AS a2, SUM(n) AS a3, MIN(id) AS a4, MAX(n) AS a5, SUM(n) AS a6, COUNT(n) AS a7, LOGICAL_OR(n > 2) AS a8, BIT_XOR(n) AS a9 ${from}`,
      merged:
        'SELECT SUM(a0), SUM(a1) AS c, SUM(a2), SUM(a3), MIN(a4), MAX(a5), SAFE_DIVIDE(SUM(a6), SUM(a7)) + 1, LOGICAL_OR(a8), BIT_XOR(a9) FROM parts',
    });
  });

  test.each([
    [
      'SELECT n, COUNT(*) <from> GROUP BY n ORDER BY n',
      'SELECT k0 AS `n`, SUM(a0) FROM parts GROUP BY k0 ORDER BY k0',
    ],
    ['SELECT N + 1, COUNT(*) <from> GROUP BY n', 'SELECT k0 + 1, SUM(a0) FROM parts GROUP BY k0'],
    [
      'SELECT TIMESTAMP_TRUNC(timestamp, DAY) AS day, COUNT(*) <from> GROUP BY day HAVING COUNT(*) > 1 ORDER BY MAX(n)',
      'SELECT k0 AS day, SUM(a0) FROM parts GROUP BY day HAVING SUM(a1) > 1 ORDER BY MAX(a2)',
    ],
    [
      "SELECT IF(n > 1, 'a', 'b') AS n, COUNT(*) <from> GROUP BY 1",
      'SELECT k0 AS n, SUM(a0) FROM parts GROUP BY 1',
    ],
    ['SELECT n AS id, COUNT(*) <from> GROUP BY id', 'SELECT k0 AS id, SUM(a0) FROM parts GROUP BY id'],
    [
      'SELECT c FROM (SELECT n, COUNT(*) AS c <from> GROUP BY n) WHERE c > 1',
      'SELECT c FROM (SELECT k0 AS `n`, SUM(a0) AS c FROM parts GROUP BY k0) WHERE c > 1',
    ],
  ])('names its keys: %s', async (sql, merged) => {
    expect((await texts(sql.replace('<from>', from)))?.merged).toBe(merged);
  });

  test('has the entries of WITH that its parts need', async () => {
    const entries = `unused AS (SELECT 1 AS x), a AS (SELECT * FROM logs.edge_logs), b AS (SELECT * FROM a WHERE n > 0)`;
    const sql = `WITH ${entries}, c AS (SELECT n, COUNT(*) AS c FROM b ${where} GROUP BY n) SELECT * FROM c JOIN c AS d USING (n)`;
    expect(await texts(sql)).toEqual({
      part: `WITH a AS (SELECT * FROM logs.edge_logs), b AS (SELECT * FROM a WHERE n > 0) SELECT n AS k0, COUNT(*) AS a0 FROM b ${where} GROUP BY 1`,
      merged: `WITH ${entries}, c AS (SELECT k0 AS \`n\`, SUM(a0) AS c FROM parts GROUP BY k0) SELECT * FROM c JOIN c AS d USING (n)`,
    });
  });

  test('is made of usage.api-counts, by its values', async () => {
    const text = await sliceable(await readFile('schema/endpoints/usage.api-counts.sql', 'utf8'));
    expect(text?.columns.map(({ name }) => name)).toEqual([
      'gateway_k0',
      ...[0, 1, 2, 3].map((i) => `gateway_a${i}`),
    ]);
    expect(text?.sources).toMatchObject([{ column: 'timestamp', parameters: ['interval', 'project'] }]);
    expect(text?.read).toEqual(['timestamp', 'metadata']);
  });

  test.each([
    ['timestamp >= @since', []],
    ['timestamp >= @since AND n > 1 AND DATE(timestamp) <= DATE(@since)', []],
    ["CASE WHEN @interval = 'day' THEN timestamp >= @since ELSE timestamp > CURRENT_TIMESTAMP() END", []],
    ['timestamp >= @since AND id = @project', ['project']],
    ['timestamp >= @since AND TIMESTAMP_TRUNC(timestamp, MONTH) >= @since', ['since']],
    ['timestamp >= @since AND (n = 1 OR timestamp < @since)', ['since']],
    ['timestamp >= @since AND NOT timestamp < @since', ['since']],
  ])('has a key without the values that only the window depends on: %s', async (condition, parameters) => {
    const text = await sliceable(`SELECT COUNT(*) FROM logs.edge_logs WHERE ${condition}`);
    expect(text?.sources).toMatchObject([{ column: 'timestamp', parameters }]);
  });

  test.each([
    ['the names of columns are exchanged', `SELECT n AS id, id AS n, COUNT(*) ${from} GROUP BY id, n`],
    [
      'a name is that of a key',
      `SELECT TIMESTAMP_TRUNC(timestamp, DAY) AS day, n AS timestamp, COUNT(*) ${from} GROUP BY day, timestamp, 2`,
    ],
    [
      'a column of another query has the name of a key',
      `SELECT (SELECT MAX(n) FROM UNNEST([1, 2]) AS n), COUNT(*) AS c ${from} GROUP BY n`,
    ],
    [
      'a row is a value',
      `SELECT TO_JSON_STRING(e) AS j, COUNT(*) FROM logs.edge_logs AS e ${where} GROUP BY j`,
    ],
    ['it has grouping sets', `SELECT n, COUNT(*) ${from} GROUP BY ROLLUP (n)`],
    ['it groups by FLOAT64', `SELECT share, COUNT(*) ${from} GROUP BY share`],
    ['it has an aggregate of a part of the rows', `SELECT MAX(n HAVING MAX timestamp) ${from}`],
    ['an aggregate is SAFE', `SELECT SAFE.SUM(n) ${from}`],
    ['it reads the first rows', `SELECT COUNT(*) FROM (SELECT * ${from} ORDER BY timestamp LIMIT 10)`],
    ['it reads a window', `SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER () AS r ${from}) WHERE r > 1`],
    [
      'its window begins with a part of the time',
      'SELECT COUNT(*) FROM logs.edge_logs WHERE TIMESTAMP_TRUNC(timestamp, MONTH) >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 40 DAY)',
    ],
    ['it has its own names', `SELECT COUNT(*) AS gateway_a0 ${from}`],
    ['it reads a sample', `SELECT COUNT(*) FROM logs.edge_logs TABLESAMPLE SYSTEM (10 PERCENT) ${where}`],
    [
      'the time is only compared with other columns',
      'SELECT COUNT(*) FROM logs.edge_logs WHERE timestamp >= TIMESTAMP_MICROS(n)',
    ],
  ])('is refused if %s', async (_, sql) => {
    expect(
      await sliceable(sql).catch((error: unknown) => expect(String(error)).toContain('AnalyzerError')),
    ).toBeUndefined();
  });
});
