import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computed, type Expression } from '../../../../src/engines/duckdb/dialect/expression.ts';
import { withFreeWork } from '../../../../src/engines/duckdb/emit/emitter/free-work.ts';
import { inParts, ofElement } from '../../../../src/engines/duckdb/emit/expressions/in-parts.ts';
import type { RunningQuery } from '../../../../src/engines/duckdb/guard/running-queries.ts';
import { installMacros } from '../../../../src/engines/duckdb/macros/install.ts';
import { atCheckpoint } from '../../../../src/engines/duckdb/udf/js/checkpoint.ts';
import { whenRoom } from '../../../../src/engines/duckdb/udf/js/claim.ts';

/** A vector of DuckDB. */
const rowCount = 2048;
let connection: DuckDBConnection;
let asked = 0;
let query: RunningQuery | undefined;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const on = () => {
    asked++;
    return query;
  };
  await installMacros(connection, { queries: { on } });
});
afterAll(() => connection?.closeSync());

const int64 = { kind: 'INT64' } as const;

/** The SQL of `n + 1` for a column n, as a call that takes so many nanoseconds for each row. */
function addOne(workNs: string, { isInLambda = false, argument = computed('n', int64, 1) } = {}): string {
  const emit = ([{ sql } = argument]: readonly Expression[]) => computed(`${sql} + 1`, int64, 1);
  return withFreeWork(inParts([argument], int64, () => workNs, emit, isInLambda).sql);
}

/** @returns the number of checkpoints that the query passed, and its result */
async function run(sql: string, running?: RunningQuery, rows = rowCount) {
  asked = 0;
  query = running;
  const reader = await connection.runAndReadAll(`SELECT sum(${sql})::BIGINT FROM range(${rows}) r(n)`);
  return { checkpoints: asked, sum: reader.getRows()[0]?.[0] };
}

const sum = BigInt((rowCount * (rowCount + 1)) / 2);

test('a call of little work has no checkpoint', async () => {
  expect(await run(addOne('1000'))).toEqual({ checkpoints: 0, sum });
});

test.each([1, 3])(
  'a call of much work has a checkpoint for each tenth of a second, weight %i',
  async (weight) => {
    const argument = computed('n', int64, weight);
    const shortly = await run(addOne('200000', { argument }));
    expect(shortly.sum).toBe(sum);
    expect(shortly.checkpoints).toBeGreaterThanOrEqual(4);
    expect(shortly.checkpoints).toBeLessThan(10);
    const long = await run(addOne('1000000000', { argument }), undefined, 20);
    expect(long).toEqual({ checkpoints: 20, sum: 210n });
  },
);

test('rows of little and of much work beside each other are all computed, in their order', async () => {
  const sql = addOne('CASE WHEN n % 3 = 0 THEN 10000000 WHEN n % 3 = 1 THEN 100000 ELSE 0 END');
  const reader = await connection.runAndReadAll(`SELECT list(${sql} ORDER BY n) FROM range(3000) r(n)`);
  expect(reader.getRowsJson()[0]?.[0]).toEqual(Array.from({ length: 3000 }, (_, i) => String(i + 1)));
});

test('a query that must end is not computed beyond its next checkpoint', async () => {
  const controller = new AbortController();
  controller.abort();
  const running = run(addOne('1000000000'), { signal: controller.signal });
  await expect(running).rejects.toThrow('The query has been ended');
  expect(asked).toBe(1);
  const late = { signal: new AbortController().signal, endsAt: 0 };
  await expect(run(addOne('1000000000'), late)).rejects.toThrow('The query has been ended');
});

test('many calls share the work that needs no checkpoint', async () => {
  const one = addOne('30000');
  expect((await run(one)).checkpoints).toBe(0);
  const n = computed('n', int64, 1);
  const calls = Array.from({ length: 10 }, (_, i) => {
    const emit = ([{ sql } = n]: readonly Expression[]) => computed(`${sql} + ${i}`, int64, 1);
    return inParts([n], int64, () => '30000', emit, false).sql;
  });
  const many = withFreeWork(calls.join(' + '));
  expect((await run(many)).checkpoints).toBeGreaterThanOrEqual(10);
});

test('elements of lists are counted together: each vector of them has a checkpoint', async () => {
  const sql = `list_sum(list_transform(range(n, n + 100), lambda n: ${addOne('1000', { isInLambda: true })}))`;
  const reader = await run(sql);
  expect(reader.sum).toBe(100n * (sum - BigInt(rowCount)) + 5050n * BigInt(rowCount));
  expect(reader.checkpoints).toBe(100);
});

test('a simple lambda has no checkpoint, another has', () => {
  expect(ofElement({ sql: 'e + 1', weight: 2 }, 'e')).toBe('e + 1');
  expect(ofElement({ sql: 'f(e)', weight: 9 }, 'e')).toBe(atCheckpoint('CAST(e IS NULL AS BIGINT)', 'f(e)'));
});

test('a query that must end claims nothing more', async () => {
  const controller = new AbortController();
  const sql = `CASE ${whenRoom('n + 2000')} 1 END`;
  expect(await run(sql, { signal: controller.signal })).toMatchObject({ sum: BigInt(rowCount) });
  controller.abort();
  await expect(run(sql, { signal: controller.signal })).rejects.toThrow('The query has been ended');
});
