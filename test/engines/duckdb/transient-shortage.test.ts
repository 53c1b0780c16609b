import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDbEngine } from '../../../src/engines/duckdb/duckdb-engine.ts';
import { MemoryGuard, memoryExceeded } from '../../../src/engines/duckdb/memory-guard.ts';
import type { IsFlatOnly } from '../../../src/engines/duckdb/store/list-tables.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../src/sql/plan.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';
import type { SqlType } from '../../../src/sql/type.ts';

let instance: DuckDBInstance;
let analyzer: Analyzer;
let engine: DuckDbEngine;
/** What the process takes, of a gigabyte. */
let resident = 0;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  analyzer = await Analyzer.start();
  const memory = new MemoryGuard({
    mostBytes: () => 1e9,
    residentBytes: () => resident,
    collect: () => {},
  });
  const store = {
    connect: () => instance.connect(),
    read: <T>(_: unknown, task: (isFlatOnly: IsFlatOnly) => Promise<T>) => task(() => false),
  };
  engine = await DuckDbEngine.open({ store, memory, now: () => 0n });
});
afterAll(async () => {
  await engine?.close();
  await analyzer?.close();
  instance?.closeSync();
});

async function run(sql: string, times: bigint) {
  const types = new Map<string, SqlType>([['times', { kind: 'INT64' }]]);
  const statement = await analyzer.analyze(sql, { catalog: { tables: [] }, parameters: types });
  const plan = newPlan({
    isCallers: false,
    sql,
    statement,
    columns: resultColumns(statement),
    parameters: types,
  });
  const { rows } = await engine.run({
    plan,
    parameters: new Map([['times', times]]),
    maxRows: 10,
    signal: new AbortController().signal,
  });
  return rows.all();
}

test.each([
  ['a claim', "SELECT LENGTH(REPEAT('x', @times))", 900_000n],
  ['a function in JavaScript', "SELECT LENGTH(FORMAT('%*d', @times, 1))", 900_000n],
])(
  'a shortage of memory that passes is not kept, nor blamed on a parameter: %s',
  async (_name, sql, times) => {
    resident = 999_900_000;
    await expect(run(sql, times)).rejects.toMatchObject({ code: 'QUERY_FAILED', message: memoryExceeded });
    resident = 0;
    expect(await run(sql, times)).toEqual([[times]]);
  },
);
