import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryGuard, memoryExceeded } from '../../../src/engines/duckdb/guard/memory-guard.ts';
import { MemoryEngine } from './support/memory-engine.ts';

let memory: MemoryEngine;
/** What the process takes, of a gigabyte. */
let resident = 0;
beforeAll(async () => {
  memory = await MemoryEngine.open({
    memory: new MemoryGuard({ maxBytes: () => 1e9, residentBytes: () => resident, collect: () => {} }),
  });
});
afterAll(() => memory?.[Symbol.asyncDispose]());

async function run(sql: string, times: bigint) {
  const plan = await memory.plan(sql, new Map([['times', { kind: 'INT64' }]]));
  const parameters = new Map([['times', times]]);
  const { signal } = new AbortController();
  return (await memory.engine.run({ plan, parameters, maxRows: 10, signal })).rows.all();
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
