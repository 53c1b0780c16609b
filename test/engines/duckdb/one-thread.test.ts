import { afterAll, beforeAll, expect, test } from 'vitest';
import { placed, withCalls } from '../../../src/engines/duckdb/dialect/calls.ts';
import { fixed } from '../../../src/engines/duckdb/dialect/constant.ts';
import { emitQuery } from '../../../src/engines/duckdb/emit/emit-query.ts';
import { elementAt } from '../../../src/engines/duckdb/macros/arrays.ts';
import { host } from '../../../src/engines/duckdb/macros/host.ts';
import { whenRoom } from '../../../src/engines/duckdb/udf/js/claim.ts';
import { soundex } from '../../../src/engines/duckdb/udf/text/soundex.ts';
import { statementOf } from '../../../src/sql/plan/plan.ts';
import type { Row } from '../../../src/sql/values/value.ts';
import { MemoryEngine } from './support/memory-engine.ts';

const parameters = new Map();

let now = 0;
/** Milliseconds that pass whenever functions look at the clock. */
let step = 0;
let memory: MemoryEngine;
beforeAll(async () => {
  memory = await MemoryEngine.open({ elapsed: () => (now += step) });
});
afterAll(() => memory?.[Symbol.asyncDispose]());

/** The rows of a query, and how often it began. Its functions take so long at each row until it begins anew. */
async function run(sql: string, stepMs: number) {
  const rows: Row[] = [];
  let runs = 0;
  step = stepMs;
  await memory.engine.read(await memory.request(sql), {
    begin() {
      runs++;
      if (runs > 1) step = 0;
      rows.length = 0;
    },
    take: (more) => void rows.push(...more),
  });
  return { rows, runs };
}

const numbers = 'UNNEST(GENERATE_ARRAY(1, 20)) AS n';
const queries = [
  `SELECT SOUNDEX(CONCAT('a', CAST(n AS STRING))) AS s, n FROM ${numbers} WHERE n > 3 ORDER BY n`,
  `SELECT n FROM ${numbers} WHERE SOUNDEX(CAST(n AS STRING)) IS NOT NULL AND n < 5 ORDER BY n`,
  `SELECT SOUNDEX(CHR(97 + MOD(n, 3))) AS k, COUNT(*) AS c FROM ${numbers} GROUP BY 1 ORDER BY 1`,
  `SELECT n, (SELECT MAX(SOUNDEX(CONCAT('r', CAST(m + n AS STRING)))) FROM UNNEST([1, 2]) AS m) AS s FROM ${numbers} ORDER BY n`,
  `SELECT n FROM ${numbers} WHERE EXISTS (SELECT 1 FROM UNNEST([2]) AS m WHERE SOUNDEX(CHR(96 + m)) = SOUNDEX(CHR(96 + n))) ORDER BY n`,
  `WITH a AS (SELECT n, SOUNDEX(CONCAT('b', CAST(n AS STRING))) AS s FROM ${numbers}) SELECT x.n, y.s FROM a AS x JOIN a AS y ON SOUNDEX(x.s) = SOUNDEX(y.s) AND x.n = y.n ORDER BY 1 LIMIT 3`,
  `SELECT n, m, SOUNDEX(CHR(96 + n)) AS s FROM ${numbers}, UNNEST(GENERATE_ARRAY(1, 30)) AS m WHERE n = m AND SOUNDEX(CHR(96 + n)) = SOUNDEX(CHR(96 + m)) ORDER BY n`,
  `SELECT SOUNDEX(CHR(96 + a.n)) AS s, COUNT(*) AS c FROM (SELECT n FROM ${numbers}) AS a, (SELECT n FROM ${numbers}) AS b, (SELECT n FROM ${numbers}) AS c WHERE a.n = b.n AND b.n = c.n GROUP BY s ORDER BY s`,
];

test.each(queries)(
  'functions that take too long are called by one thread, with the same rows: %s',
  async (sql) => {
    const { rows, runs } = await run(sql, 0);
    expect(runs).toBe(1);
    // Longer than a turn of the event loop may be.
    expect(await run(sql, 250)).toEqual({ rows, runs: 2 });
  },
);

test('an export need not begin again when its functions take too long after its first rows', async () => {
  step = 0;
  let [batches, count] = [0, 0];
  // DuckDB computes some hundred thousand rows before the first are taken.
  const request = await memory.request(
    'SELECT SOUNDEX(CAST(n AS STRING)) AS s FROM UNNEST(GENERATE_ARRAY(1, 300000)) AS n',
    { maxRows: 400_000 },
  );
  await memory.engine.stream(request, (batch) => {
    batches += 1;
    step = batches === 1 ? 0.15 : 0;
    count += batch.length;
  });
  expect(count).toBe(300_000);
});

/** DuckDB's plan of a query. */
async function duckPlanOf(sql: string, inOneThread: boolean): Promise<string> {
  const statement = statementOf(await memory.plan(sql));
  const context = {
    parameters,
    now: fixed(0n),
    tableSql: (table: string) => table,
    inOneThread,
    callCount: 0,
    isVolatile: false,
    hasBorder: false,
  };
  const connection = await memory.connect();
  try {
    const result = await connection.runAndReadAll(`EXPLAIN ${emitQuery(statement, context).sql}`);
    return JSON.stringify(result.getRowsJson());
  } finally {
    connection.closeSync();
  }
}

test('DuckDB computes them in a pipeline that has one thread', async () => {
  const sql = `SELECT SUM(LENGTH(NORMALIZE(CAST(n AS STRING)))) AS s FROM ${numbers}`;
  expect(await duckPlanOf(sql, false)).not.toContain('STREAMING_SAMPLE');
  expect(await duckPlanOf(sql, true)).toContain('STREAMING_SAMPLE');
});

test.each([
  `SELECT SOUNDEX(CAST(n AS STRING)) AS s, m FROM (SELECT n FROM ${numbers}), (SELECT m FROM UNNEST(GENERATE_ARRAY(1, 30)) AS m) WHERE n = m`,
  `SELECT n FROM (SELECT n FROM ${numbers}) JOIN (SELECT m FROM UNNEST(GENERATE_ARRAY(1, 30)) AS m) ON n = m AND SOUNDEX(CAST(n AS STRING)) = SOUNDEX(CAST(m AS STRING))`,
  `SELECT n FROM (SELECT n FROM ${numbers}) JOIN (SELECT m FROM UNNEST(GENERATE_ARRAY(1, 30)) AS m) ON SOUNDEX(CAST(n AS STRING)) = SOUNDEX(CAST(m AS STRING))`,
])('a join remains one in one thread: %s', async (sql) => {
  for (const inOneThread of [false, true]) {
    const plan = await duckPlanOf(sql, inOneThread);
    expect(plan).toContain('HASH_JOIN');
    expect(plan).not.toContain('CROSS_PRODUCT');
    expect(plan.includes('STREAMING_SAMPLE')).toBe(inOneThread);
  }
});

test('also where it groups by them, above an aggregation', async () => {
  const grouped = `SELECT n, COUNT(*) AS c FROM ${numbers} GROUP BY n`;
  const statement = statementOf(
    await memory.plan(`SELECT SOUNDEX(CHR(n)) AS s, SUM(c) AS c FROM (${grouped}) GROUP BY s`),
  );
  const { sql } = emitQuery(statement, {
    parameters,
    now: fixed(0n),
    callCount: 0,
    isVolatile: false,
    hasBorder: false,
    tableSql: (table) => table,
    inOneThread: true,
  });
  expect(sql).toMatch(/gateway_soundex.* USING SAMPLE .*GROUP BY/s);
});

test('and where an array is computed by them that is unnested', async () => {
  const sql = `SELECT n, u FROM (SELECT n, COUNT(*) AS c FROM ${numbers} GROUP BY n), UNNEST([SOUNDEX(CHR(n))]) AS u`;
  expect(await duckPlanOf(sql, true)).toContain('STREAMING_SAMPLE');
});

const none = { js: false, macro: false, subquery: false, volatile: false };

test('a call is noted directly and in macros, claims are none', () => {
  const callsOf = (write: () => string) => withCalls(write)[1];
  expect(callsOf(() => soundex.call(['x']))).toEqual({ ...none, js: true });
  expect(callsOf(() => soundex.call(['x'], true)).js).toBe(true);
  expect(callsOf(() => host.call(['url']))).toEqual({ ...none, js: true, macro: true });
  expect(callsOf(() => elementAt.call(['a', 'i', '0']))).toEqual({ ...none, macro: true });
  expect(callsOf(() => whenRoom('1')).js).toBe(false);
});

test('calls are recorded for the SQL and the SQL around it', () => {
  const [inner, outer] = withCalls(() => withCalls(() => soundex.call(['x'])));
  expect(inner[1].js).toBe(true);
  expect(outer.js).toBe(true);
  const calls = inner[1];
  expect(withCalls(() => placed({ sql: 'f(x)', calls }))).toEqual(['f(x)', calls]);
});
