import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDbEngine } from '../../../src/engines/duckdb/duckdb-engine.ts';
import { runInterruptibly } from '../../../src/engines/duckdb/interruptible.ts';
import { RowReader, readRows } from '../../../src/engines/duckdb/read-rows.ts';
import type { IsFlatOnly } from '../../../src/engines/duckdb/store/list-tables.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../src/sql/plan.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';

let instance: DuckDBInstance;
let analyzer: Analyzer;
let engine: DuckDbEngine;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  analyzer = await Analyzer.start();
  const store = {
    connect: () => instance.connect(),
    read: <T>(_: unknown, task: (isFlatOnly: IsFlatOnly) => Promise<T>) => task(() => false),
  };
  engine = await DuckDbEngine.open({ store, now: () => 0n });
});
afterAll(async () => {
  await engine?.close();
  await analyzer?.close();
  instance?.closeSync();
});

const { signal } = new AbortController();

async function run(sql: string, maxRows: number) {
  const statement = await analyzer.analyze(sql, { catalog: { tables: [] }, parameters: new Map() });
  const plan = newPlan({
    isCallers: false,
    sql,
    statement,
    columns: resultColumns(statement),
    parameters: new Map(),
  });
  return engine.run({ plan, parameters: new Map(), maxRows, signal });
}

// DuckDB hands over 2,048 rows at a time.
test.each([1, 2047, 2048, 2049, 4999, 5000, 5001])(
  'a result has its first %i rows, and says whether there were more',
  async (maxRows) => {
    const { rows, truncated } = await run(
      'SELECT x FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY x',
      maxRows,
    );
    const count = Math.min(maxRows, 5000);
    expect(await rows.all()).toEqual(Array.from({ length: count }, (_, index) => [BigInt(index + 1)]));
    expect(truncated).toBe(maxRows < 5000);
  },
);

test.each([1, 2048, 4999])('a NULL in an array is refused wherever it comes: row %i', async (place) => {
  const sql = `SELECT [x, IF(x = ${place}, NULL, x)] AS a FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY x`;
  await expect(run(sql, 5000)).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    message: 'Array cannot have a null element; error in writing field a',
  });
});

test('rows are handed over as they come, and no more are read after a refusal', async () => {
  const connection = await instance.connect();
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
