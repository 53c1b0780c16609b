import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryGuard } from '../../../../src/engines/duckdb/guard/memory-guard.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { MemoryEngine } from '../support/memory-engine.ts';
import { catalogueCalls, rowsOf } from './catalogue-calls.ts';
import { hostileCalls, hostileExpressions } from './hostile-calls.ts';
import { lateMs, maxLateMs } from './late.ts';

/** DuckDB looks for an interrupt after each vector of rows, and only there: whatever is computed until then delays a query's end. */
const analyzer = await Analyzer.start();
const functions = await catalogueCalls(analyzer, hostileCalls);
await analyzer.close();

let memory: MemoryEngine;
beforeAll(async () => {
  const residentBytes = () => process.memoryUsage.rss();
  memory = await MemoryEngine.open({
    memory: new MemoryGuard({ maxBytes: () => 4e9, residentBytes, collect: () => {} }),
  });
});
afterAll(() => memory?.[Symbol.asyncDispose]());

/** What a query computes before it is cancelled, in milliseconds. */
const beforeCancelMs = 300;

/** Texts of so many characters and arrays of so many elements, and the maximum number of calls of a function over them. */
const sizes = [
  { characters: 3_000, elements: 100, calls: 4 },
  { characters: 20_000, elements: 1_000, calls: 2 },
];

async function check(expressions: readonly string[]): Promise<number> {
  let planned = 0;
  for (const { characters, elements, calls } of sizes) {
    let left = calls;
    for (const expression of expressions) {
      if (left === 0) break;
      const sql = `WITH r AS (${rowsOf(characters, elements)})
        SELECT COUNTIF(x IS NULL) FROM (SELECT ${expression} AS x FROM r)`;
      // Not every combination of arguments is allowed.
      const plan = await memory.plan(sql).catch(() => undefined);
      if (plan === undefined) continue;
      left--;
      planned++;
      expect(await lateMs(memory, plan, beforeCancelMs), expression).toBeLessThan(maxLateMs);
    }
  }
  return planned;
}

/** It needs a GROUP BY, and reads no value. */
const notCalled = new Set(['GROUPING']);

test.each(functions.filter(({ name }) => !notCalled.has(name)))(
  'a cancelled query with $name ends soon',
  async ({ calls }) => {
    // A function without a call needs one in `hostileCalls`.
    expect(await check(calls)).toBeGreaterThan(0);
  },
  120_000,
);

test.each(hostileExpressions)(
  'a cancelled query with %s ends soon',
  async (expression) => {
    expect(await check([expression])).toBe(sizes.length);
  },
  120_000,
);
