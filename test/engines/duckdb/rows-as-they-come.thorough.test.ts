import { BIGINT, DuckDBScalarFunction } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInterruptibly } from '../../../src/engines/duckdb/run/interruptible.ts';
import { RowReader, readRows } from '../../../src/engines/duckdb/run/rows/read-rows.ts';
import { MemoryEngine } from './support/memory-engine.ts';

let memory: MemoryEngine;
beforeAll(async () => {
  memory = await MemoryEngine.open();
});
afterAll(() => memory?.[Symbol.asyncDispose]());

// DuckDB hands over 2,048 rows at a time.
test.each([1, 2047, 2048, 2049, 4999, 5000, 5001])(
  'a result has its first %i rows, and says whether there were more',
  async (maxRows) => {
    const sql = 'SELECT x FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY x';
    const { rows, truncated } = await memory.run(sql, { maxRows });
    const count = Math.min(maxRows, 5000);
    expect(await rows.all()).toEqual(Array.from({ length: count }, (_, index) => [BigInt(index + 1)]));
    expect(truncated).toBe(maxRows < 5000);
  },
);

test.each([1, 2048, 4999])('a NULL in an array is refused wherever it comes: row %i', async (place) => {
  const sql = `SELECT [x, IF(x = ${place}, NULL, x)] AS a FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY x`;
  await expect(memory.run(sql, { maxRows: 5000 })).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    message: 'Array cannot have a null element; error in writing field a',
  });
});

// DuckDB computes rows while they are read: an error in later rows comes after some have been handed over.
describe.each([1, 100_000, 299_999])('an error in row %i', (place) => {
  const sql = `SELECT DIV(1, x - ${place}) AS q, REPEAT('x', 100) AS t FROM UNNEST(GENERATE_ARRAY(1, 300000)) AS x`;
  const kind = 'The query failed on its data: Division by zero.';
  const failure = { code: 'QUERY_FAILED', message: 'division by zero: 1 / 0', details: { kind } };

  test('fails a result', async () => {
    await expect(memory.run(sql, { maxRows: 400_000 })).rejects.toMatchObject(failure);
    expect((await memory.run('SELECT 1 AS x')).truncated).toBe(false);
  });

  test('fails an export', async () => {
    const request = await memory.request(sql, { maxRows: 400_000 });
    await expect(memory.engine.stream(request, () => {})).rejects.toMatchObject(failure);
  });
});

test('an error that does not come again is an error', async () => {
  let fails = true;
  const connection = await memory.connect();
  const { signal } = new AbortController();
  const failOnce = DuckDBScalarFunction.create({
    name: 'fail_once',
    parameterTypes: [BIGINT],
    returnType: BIGINT,
    mainFunction(info, input, output) {
      if (input.getColumnVector(0).getItem(0) === 204_800n && fails) {
        fails = false;
        info.setError('too busy');
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(failOnce);
  await connection.run('BEGIN TRANSACTION');
  const sql = 'SELECT fail_once(i) FROM range(300000) AS t(i)';
  const rows = runInterruptibly(connection, sql, signal, () => {});
  await expect(rows).rejects.toThrow('the query failed after its first rows');
  connection.closeSync();
});

test('rows are handed over as they come, and no more are read after a refusal', async () => {
  const { signal } = new AbortController();
  const connection = await memory.connect();
  const lengths: number[] = [];
  const query = {
    sql: 'SELECT i FROM range(1000000) AS t(i)',
    columns: [{ name: 'i', type: { kind: 'INT64' } }],
    late: [],
  } as const;
  const reading = readRows(
    query,
    (sql, take) => runInterruptibly(connection, sql, signal, take),
    new RowReader(),
    async (rows) => {
      lengths.push(rows.length);
      if (lengths.length === 3) throw new Error('enough');
    },
  );
  await expect(reading).rejects.toThrow('enough');
  expect(lengths).toEqual([2048, 2048, 2048]);
  connection.closeSync();
});
