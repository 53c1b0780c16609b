import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { RunningQueries } from '../../../../src/engines/duckdb/guard/running-queries.ts';
import { JsFunction } from '../../../../src/engines/duckdb/udf/js/js-function.ts';
import { int64 } from '../../../../src/engines/duckdb/udf/js/js-type.ts';
import { WorkLimit } from '../../../../src/engines/duckdb/udf/js/work-limit.ts';
import { MemoryEngine } from '../support/memory-engine.ts';

let now = 0;
let memory: MemoryEngine;
beforeAll(async () => {
  memory = await MemoryEngine.open({ elapsed: () => now });
});
afterAll(() => memory?.[Symbol.asyncDispose]());

/** A function that notes each row, and what happens at one of them. */
async function noting(queries: RunningQueries, at: number, happens: () => void) {
  let rows = 0;
  const name = `noting_${Math.random().toString(36).slice(2)}`;
  const call = new JsFunction(name, [int64], int64, (value) => {
    rows++;
    if (value === BigInt(at)) happens();
    return value;
  });
  const connection = await memory.connect();
  const clock = { now: 0 };
  call.register(connection, { limit: new WorkLimit(() => clock.now), queries });
  const run = (on: DuckDBConnection) => on.run(`SELECT max(${call.call(['i'])}) FROM range(2000) r(i)`);
  return { connection, clock, run, rows: () => rows };
}

test('a function ends with its query: in the midst of the rows that it was given', async () => {
  const queries = new RunningQueries();
  const controller = new AbortController();
  const { connection, run, rows } = await noting(queries, 3, () => controller.abort());
  const running = queries.during(connection, { signal: controller.signal }, () => run(connection));
  await expect(running).rejects.toThrow(/has been ended/);
  expect(rows()).toBe(4);
  await run(connection);
  expect(rows()).toBe(2_004);
});

test('also when the time is up and nobody could say so yet', async () => {
  const queries = new RunningQueries();
  const { signal } = new AbortController();
  const { connection, clock, run, rows } = await noting(queries, 5, () => {
    clock.now = 100;
  });
  const running = queries.during(connection, { signal, endsAt: 100 }, () => run(connection));
  await expect(running).rejects.toThrow(/has been ended/);
  expect(rows()).toBe(6);
});

test("another query's end is nothing to it", async () => {
  const queries = new RunningQueries();
  const controller = new AbortController();
  const { connection, run, rows } = await noting(queries, 3, () => controller.abort());
  const other = await memory.connect();
  await queries.during(other, { signal: controller.signal }, () => run(connection));
  expect(rows()).toBe(2_000);
});

test('a query whose functions notice the deadline first fails with the signal’s reason', async () => {
  const sql = "SELECT MAX(SOUNDEX(CONCAT('a', CAST(n AS STRING)))) FROM UNNEST(GENERATE_ARRAY(1, 2000)) AS n";
  const controller = new AbortController();
  const request = await memory.request(sql, { signal: controller.signal, timeoutMs: 1_000 });
  expect(await (await memory.engine.run(request)).rows.all()).toEqual([['a000']]);
  const running = memory.engine.run(request);
  now = 1_000;
  setTimeout(() => controller.abort(new GatewayError('QUERY_TIMEOUT', 'too late')), 50);
  await expect(running).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
});
