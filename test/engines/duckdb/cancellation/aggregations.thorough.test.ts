import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryEngine } from '../support/memory-engine.ts';
import { costMs, lateMs, maxLateMs } from './late.ts';

/** DuckDB can't be interrupted while it completes a group, for which it may have to sort all values. */

let memory: MemoryEngine;
beforeAll(async () => {
  memory = await MemoryEngine.open();
});
afterAll(() => memory?.[Symbol.asyncDispose]());

/** A million rows in random order, with texts that differ only behind their first characters. */
const rows = `SELECT n, n / 7 AS f, CONCAT('GET | 200 | ', TO_HEX(MD5(CAST(n AS STRING)))) AS s, MOD(n * 7919, 1000003) AS k
  FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS n`;

/** At these shares of its whole work, each query is cancelled. */
const shares = [0.2, 0.4, 0.6, 0.8, 0.95];

test.each([
  'ARRAY_LENGTH(APPROX_QUANTILES(f, 10000))',
  'APPROX_QUANTILES(k, 100)',
  'ARRAY_LENGTH(APPROX_QUANTILES(s, 100))',
  'ARRAY_LENGTH(ARRAY_AGG(n ORDER BY k))',
  'ARRAY_LENGTH(ARRAY_AGG(n ORDER BY s))',
  'ARRAY_LENGTH(ARRAY_AGG(DISTINCT s))',
  "LENGTH(STRING_AGG(SUBSTR(s, 13, 3), ',' ORDER BY k))",
  'COUNT(DISTINCT s)',
  'ARRAY_LENGTH(APPROX_TOP_COUNT(s, 1000))',
  'MAX_BY(s, k)',
])(
  'a cancelled query with %s of a million rows ends soon',
  async (aggregate) => {
    const plan = await memory.plan(`SELECT ${aggregate} AS x FROM (${rows})`);
    const whole = await costMs(memory, plan, new AbortController().signal);
    for (const share of shares) expect(await lateMs(memory, plan, whole * share)).toBeLessThan(maxLateMs);
  },
  600_000,
);
