import type { DuckDBResult } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunkBatches } from '../../../src/engines/duckdb/run/columns/chunk-batches.ts';
import type { ColumnBatch } from '../../../src/sql/columns/column-batch.ts';
import { rowsOfColumns } from '../../../src/sql/columns/rows-of-columns.ts';
import type { Column } from '../../../src/sql/values/type.ts';
import type { Row } from '../../../src/sql/values/value.ts';
import { MemoryEngine } from './support/memory-engine.ts';

let memory: MemoryEngine;
beforeAll(async () => {
  memory = await MemoryEngine.open();
});
afterAll(() => memory?.[Symbol.asyncDispose]());

/** The rows of a query as they come as columns, and the sizes of the batches. */
async function streamed(sql: string, maxRows = 10_000) {
  const request = await memory.request(sql, { maxRows });
  const rows: Row[] = [];
  const lengths: number[] = [];
  const end = await memory.engine.stream(request, (batch: ColumnBatch) => {
    rows.push(...rowsOfColumns(request.plan.columns, batch));
    lengths.push(batch.length);
  });
  return { rows, lengths, truncated: end.truncated };
}

async function listed(sql: string, maxRows = 10_000) {
  return (await memory.run(sql, { maxRows })).rows.all();
}

/** NULL in every seventh row. */
const some = (sql: string, at: number) => `IF(MOD(x, 7) = ${at}, NULL, ${sql})`;
const text = `CASE MOD(x, 5) WHEN 0 THEN '' WHEN 1 THEN 'é' WHEN 2 THEN 'twelve bytes' WHEN 3 THEN REPEAT('long ', x) ELSE CONCAT('text number ', CAST(x AS STRING)) END`;
const values: readonly [kind: string, sql: string][] = [
  ['BOOL', 'MOD(x, 3) = 1'],
  ['INT64', '(x - 2500) * 3689348814741910'],
  ['FLOAT64', 'CASE MOD(x, 4) WHEN 0 THEN CAST("nan" AS FLOAT64) WHEN 1 THEN -0.0 ELSE x / 3 END'],
  ['NUMERIC', "CAST(x AS NUMERIC) * NUMERIC '-12345678901234567890.123456789' / 7"],
  ['BIGNUMERIC', "CAST(x AS BIGNUMERIC) * BIGNUMERIC '-1.00000000000000000000000000000000000001'"],
  ['STRING', text],
  ['BYTES', `CAST(${text} AS BYTES)`],
  ['DATE', "DATE_ADD(DATE '0001-01-01', INTERVAL x * 700 DAY)"],
  ['DATETIME', "DATETIME_ADD(DATETIME '1969-12-31 23:59:59.999', INTERVAL x MILLISECOND)"],
  ['TIME', 'TIME(MOD(x, 24), MOD(x, 60), 59)'],
  ['TIMESTAMP', 'TIMESTAMP_MICROS((x - 2500) * 24000000000000)'],
  ['INTERVAL', 'MAKE_INTERVAL(1, 2, x)'],
  ['JSON', 'TO_JSON(x)'],
  ['ARRAY of INT64', 'IF(MOD(x, 2) = 0, [], [x, -x])'],
  ['ARRAY of STRING', `IF(MOD(x, 4) = 0, ['', 'a'], [${text}])`],
  ['STRUCT', `STRUCT(${some('x', 1)} AS n, ${some(text, 2)} AS t, [x, 1] AS a)`],
  ['ARRAY of STRUCT', `[STRUCT(${some('x', 3)} AS n, [${text}] AS a), STRUCT(0, CAST([] AS ARRAY<STRING>))]`],
  ['STRUCT of INTERVAL', 'STRUCT(MAKE_INTERVAL(1, 2, x) AS i, x AS n)'],
];

describe('a result as columns has the same values as one of rows', () => {
  test.each(values)('%s', async (kind, sql) => {
    const from = 'FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x';
    const query = `SELECT x, ${sql} AS always, ${some(sql, 4)} AS sometimes, IF(x < 0, ${sql}, NULL) AS never ${from} ORDER BY x`;
    const { rows } = await streamed(query);
    expect(rows).toHaveLength(5_000);
    // An array is never NULL in a result.
    const whenNull = kind.startsWith('ARRAY') ? [] : null;
    expect(rows).toEqual((await listed(query)).map((row) => row.map((value) => value ?? whenNull)));
  });

  test.each([1, 2047, 2048, 2049, 4999, 5000, 5001])('in its first %i rows', async (maxRows) => {
    const query = 'SELECT x, [x] AS a FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY x';
    const { rows, truncated } = await streamed(query, maxRows);
    expect(rows).toEqual(await listed(query, maxRows));
    expect(truncated).toBe(maxRows < 5_000);
  });

  test('in parts if they are large', async () => {
    const query = "SELECT x, REPEAT('y', x * 100) AS y FROM UNNEST(GENERATE_ARRAY(1, 1000)) AS x ORDER BY x";
    const { rows, lengths } = await streamed(query);
    expect(rows).toEqual(await listed(query));
    expect(lengths.length).toBeGreaterThan(30);
  });
});

describe('as columns, too', () => {
  test.each(['x, NULL', '1, IF(x = 4999, NULL, x)'])(
    'a NULL in an array [%s] is refused',
    async (elements) => {
      const query = `SELECT x, [STRUCT([${elements}] AS inner_array)] AS a FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x`;
      await expect(streamed(query)).rejects.toMatchObject({
        code: 'QUERY_FAILED',
        message: 'Array cannot have a null element; error in writing field a',
      });
    },
  );

  test('a row with too many values is refused', async () => {
    const query =
      'SELECT GENERATE_ARRAY(1, 200000) AS a, GENERATE_ARRAY(1, 60000) AS b FROM UNNEST([1, 2]) AS x';
    await expect(streamed(query)).rejects.toThrow('more than 250,000 values');
  });
});

test('lists that leave elements out, or share them, are read one by one', async () => {
  const connection = await memory.connect();
  const result: DuckDBResult = await connection.stream(
    "SELECT l FROM (SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE list_value('a long text of ' || i, 'b') END AS l FROM range(3000) t(i)) WHERE i % 2 = 0 ORDER BY i DESC",
  );
  const columns: Column[] = [{ name: 'l', type: { kind: 'ARRAY', element: { kind: 'STRING' } } }];
  const rows: Row[] = [];
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
    for (const batch of chunkBatches(columns, chunk, chunk.rowCount))
      rows.push(...rowsOfColumns(columns, batch));
  const expected = Array.from({ length: 1_500 }, (_, index) => 2_998 - index * 2).map((i) => [
    i % 3 === 0 ? [] : [`a long text of ${i}`, 'b'],
  ]);
  expect(rows).toEqual(expected);
  connection.closeSync();
});
