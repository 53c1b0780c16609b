import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryGuard, memoryExceeded } from '../../../src/engines/duckdb/memory-guard.ts';
import { MemoryEngine } from './support/memory-engine.ts';

let memory: MemoryEngine;
/** What the process takes, of a gigabyte. */
let resident = 0;
beforeAll(async () => {
  memory = await MemoryEngine.open({
    memory: new MemoryGuard({
      mostBytes: () => 1e9,
      residentBytes: () => resident,
      collect: () => {},
      elapsed: () => 0,
    }),
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

test('a shortage of memory ends the queries of the key with most of them, however long another key’s one runs', async () => {
  const plan = await memory.plan(
    'SELECT COUNT(DISTINCT MOD(x * y, 1000003)) FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS x, UNNEST(GENERATE_ARRAY(1, 100000)) AS y',
  );
  const leaving = new AbortController();
  const ended: string[] = [];
  const run = async (name: string, key: string) => {
    const account = { key, subject: '' };
    const request = { plan, parameters: new Map(), maxRows: 10, signal: leaving.signal, account };
    await memory.engine.run(request).catch((error) => ended.push(`${name} ${error.code ?? error.message}`));
  };
  const other = run('of b', 'b');
  const several = ['first', 'second', 'third'].map((name) => run(`${name} of a`, 'a'));
  resident = 1_000_000_001;
  await expect.poll(() => ended.length).toBeGreaterThanOrEqual(2);
  resident = 0;
  for (const name of ended.slice(0, 2)) expect(name).toMatch(/ of a OVERLOADED$/);
  leaving.abort(new Error('left'));
  await Promise.all([other, ...several]);
});
