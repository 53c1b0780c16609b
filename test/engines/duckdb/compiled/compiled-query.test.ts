import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { loadSourceSchemas } from '../../../../src/app/schema/load-schema.ts';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { installMacros } from '../../../../src/engines/duckdb/macros/install.ts';
import { QuerySql } from '../../../../src/engines/duckdb/run/query-sql.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../../src/sql/analyzer/catalog.ts';
import { newPlan, type Plan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';

let analyzer: Analyzer;
let catalog: Catalog;
let connection: DuckDBConnection;

beforeAll(async () => {
  analyzer = await Analyzer.start();
  catalog = sourceCatalog(await loadSourceSchemas(readConfig({})));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await installMacros(connection);
});
afterAll(async () => {
  connection.closeSync();
  await analyzer.close();
});

type Values = Readonly<Record<string, Value>>;
type Types = Readonly<Record<string, SqlType>>;

const text: SqlType = { kind: 'STRING' };
const number: SqlType = { kind: 'INT64' };
const signal = new AbortController().signal;
// 2026-11-20 06:00:00 UTC
const start = 1_795_154_400_000_000n;

async function planOf(sql: string, types: Types): Promise<Plan> {
  const parameters = new Map(Object.entries(types));
  const statement = await analyzer.analyze(sql, { catalog, parameters });
  return newPlan({ isCallers: false, sql, statement, columns: resultColumns(statement), parameters });
}

/** The SQL of one run, in which order it was asked for, and whether it was compiled before. */
async function sqlOf(queries: QuerySql, plan: Plan, values: Values, now: bigint, isFlatOnly = true) {
  const statements: string[] = [];
  const run = {
    plan,
    parameters: new Map(Object.entries(values)),
    maxRows: 100,
    wanted: 'all',
    inOneThread: false,
    now,
  } as const;
  const sql = queries.of(
    run,
    async (statement, take) => {
      statements.push(statement);
      const result = await connection.stream(statement);
      for await (const chunk of result) await take(chunk);
    },
    signal,
  );
  const outcome = async (prepare: typeof sql.compiled) => {
    const query = await (await prepare())?.(() => isFlatOnly);
    return query && [query.sql, ...query.late.map(({ sqlFor }) => sqlFor([1n, 2n]))].join(';\n');
  };
  const compiled = await outcome(sql.compiled);
  return { sql: compiled ?? (await outcome(sql.emitted)), isCompiled: compiled !== undefined, statements };
}

const shipped = async (name: string) => readFile(`schema/endpoints/${name}.sql`, 'utf8');

/** Runs of a query one after the other. Each comes to the SQL that is emitted for it alone. */
async function compare(sql: string, types: Types, runs: readonly Values[]): Promise<number> {
  const plan = await planOf(sql, types);
  const queries = new QuerySql();
  let compiled = 0;
  for (const round of [0n, 1n, 2n]) {
    for (const [i, values] of runs.entries()) {
      const now = start + round * 86_400_000_000n + BigInt(i) * 1_234_567n;
      const expected = await sqlOf(new QuerySql(), plan, values, now);
      const actual = await sqlOf(queries, plan, values, now);
      expect(actual.sql, inspect(values)).toBe(expected.sql);
      if (actual.isCompiled) compiled++;
    }
  }
  return compiled;
}

describe('SQL that was compiled for a plan is what emitting it gives', () => {
  test('for usage.api-counts, with one structure for each interval', async () => {
    const runs = ['hourly', 'daily', 'minutely', 'daily'].flatMap((interval) =>
      ['abcdefghijklmnopqrst', 'zyxwvutsrqponmlkjihg', "it's", 'a|b.*c'].map((project) => ({
        interval,
        project,
      })),
    );
    const sql = await shipped('usage.api-counts');
    const compiled = await compare(sql, { interval: text, project: text }, runs);
    expect(compiled).toBeGreaterThan(runs.length);
  });

  test('for logs.all, with and without bounds', async () => {
    const times = ['', '2026-11-01T00:00:00Z', '2026-11-19T10:00:00.123456Z'];
    const runs = times.flatMap((from) =>
      times.map((until) => ({
        project: 'abcdefghijklmnopqrst',
        iso_timestamp_start: from,
        iso_timestamp_end: until,
      })),
    );
    const sql = await shipped('logs.all');
    const types = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name as string, text]));
    const given = runs.map((run) =>
      Object.fromEntries(Object.keys(types).map((name, i) => [name, Object.values(run)[i] ?? ''])),
    );
    await compare(sql, types, given);
  });

  test.each<[string, string, Types, Values[], number]>([
    [
      'a number',
      'SELECT id FROM logs.edge_logs WHERE LENGTH(event_message) > @n',
      { n: number },
      [{ n: 1n }, { n: 2n }, { n: -5n }, { n: null }],
      6,
    ],
    ['a limit', 'SELECT id FROM logs.edge_logs LIMIT @n', { n: number }, [{ n: 1n }, { n: 2n }], 2],
    [
      'a list',
      'SELECT id FROM logs.edge_logs WHERE id IN UNNEST(@ids)',
      { ids: { kind: 'ARRAY', element: text } },
      [{ ids: ['a'] }, { ids: ['b', 'c'] }, { ids: [] }],
      2,
    ],
    [
      'two values that can be equal',
      'SELECT COUNT(*) FROM logs.edge_logs WHERE id = @a OR id = @b',
      { a: text, b: text },
      [
        { a: 'x', b: 'y' },
        { a: 'x', b: 'x' },
        { a: 'p', b: 'q' },
      ],
      4,
    ],
    [
      'texts with quotes, zeros and the marks of places',
      'SELECT CONCAT(@a, "\ue0000\ue001", id) FROM logs.edge_logs WHERE id <> @a',
      { a: text },
      [{ a: "'" }, { a: 'a\0b' }, { a: '\ue0000\ue001' }, { a: '\ue0007\ue001' }],
      0,
    ],
    [
      'the clock',
      'SELECT CURRENT_TIMESTAMP() AS now, CURRENT_DATE() AS day, id FROM logs.edge_logs WHERE timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 36 HOUR)',
      {},
      [{}, {}, {}],
      6,
    ],
    [
      'a moved clock in another zone',
      "SELECT DATETIME(CURRENT_TIMESTAMP(), 'Asia/Tokyo') AS now, DATE_TRUNC(CURRENT_DATE(), MONTH) AS month FROM logs.edge_logs WHERE timestamp > TIMESTAMP_TRUNC(TIMESTAMP_ADD(CURRENT_TIMESTAMP(), INTERVAL -3 DAY), DAY)",
      {},
      [{}, {}, {}],
      6,
    ],
    [
      'a relation of one row',
      'WITH c AS (SELECT @a AS a, TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY) AS since) SELECT t.id, c.a FROM c, logs.edge_logs AS t WHERE t.timestamp > c.since',
      { a: text },
      [{ a: 'x' }, { a: '' }],
      3,
    ],
    [
      'a bound that can be absent',
      "SELECT id FROM logs.edge_logs WHERE CASE WHEN COALESCE(@from, '') = '' THEN TRUE ELSE timestamp > CAST(@from AS TIMESTAMP) END",
      { from: text },
      [
        { from: '' },
        { from: '2026-01-01T00:00:00Z' },
        { from: null },
        { from: '2026-02-03' },
        { from: '2026-02-03 04:05:06+07' },
      ],
      6,
    ],
    [
      'a whole row, of which columns are read late',
      'SELECT * FROM logs.edge_logs WHERE event_message LIKE @p ORDER BY timestamp DESC',
      { p: text },
      [{ p: '%a%' }, { p: 'b_' }, { p: '%a%' }],
      2,
    ],
  ])('for %s', async (_what, sql, types, runs, least) => {
    expect(await compare(sql, types, runs)).toBeGreaterThanOrEqual(least);
  });
});

test('a bound that moves with the clock takes no statement of its own', async () => {
  const plan = await planOf(await shipped('usage.api-counts'), { interval: text, project: text });
  const queries = new QuerySql();
  const run = (project: string, seconds: bigint) =>
    sqlOf(queries, plan, { interval: 'daily', project }, start + seconds * 1_000_000n);
  for (const seconds of [0n, 1n]) await run('abcdefghijklmnopqrst', seconds);
  expect(await run('abcdefghijklmnopqrst', 3n)).toMatchObject({ isCompiled: true, statements: [] });
});

test('SQL for rows in one form is not used when there are rows in the other', async () => {
  const plan = await planOf('SELECT id FROM logs.edge_logs WHERE id = @id', { id: text });
  const queries = new QuerySql();
  const run = (isFlatOnly: boolean) => sqlOf(queries, plan, { id: 'a' }, start, isFlatOnly);
  const [one] = [await run(true), await run(true), await run(true)];
  const other = await run(false);
  expect(other.isCompiled).toBe(false);
  expect(other.sql).not.toBe(one.sql);
  expect(await run(true)).toMatchObject({ isCompiled: true, sql: one.sql });
  expect(await run(false)).toMatchObject({ isCompiled: true, sql: other.sql });
});

test('a value that fails is reported for its parameter, compiled or not', async () => {
  const plan = await planOf('SELECT id FROM logs.edge_logs WHERE timestamp > CAST(@from AS TIMESTAMP)', {
    from: text,
  });
  const queries = new QuerySql();
  for (const day of ['01', '02', '03', '04']) await sqlOf(queries, plan, { from: `2026-01-${day}` }, start);
  await expect(sqlOf(queries, plan, { from: 'yesterday' }, start)).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining('"from"'),
  });
});

test('what a condition excludes is not evaluated', async () => {
  const sql =
    "SELECT IF(CAST(@n AS INT64) < 100, LENGTH(REPEAT('ab', CAST(@n AS INT64))), -1) AS x FROM logs.edge_logs";
  const plan = await planOf(sql, { n: text });
  const queries = new QuerySql();
  for (const n of ['1', '2', '3', '4']) await sqlOf(queries, plan, { n }, start);
  expect(await sqlOf(queries, plan, { n: '5' }, start)).toMatchObject({ isCompiled: true });
  const { statements } = await sqlOf(queries, plan, { n: '480000' }, start);
  expect(statements).toEqual([expect.not.stringContaining('repeat')]);
});
