import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

/** Nothing interrupts DuckDB while it works on one value: calls that take forever would take a thread from everybody. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const resultOf = async (expression: string) => (await differential.actual(`select ${expression}`))[0]?.[0];

test.each([
  ["replace(repeat('a', 1000000), 'a', repeat('b', 1000000))", 'Output of REPLACE exceeds'],
  ["regexp_replace(repeat('a', 1000000), 'a', repeat('b', 1000000))", 'REGEXP_REPLACE: exceeded'],
  [
    "regexp_replace(repeat('a', 1000000), '.*', concat('\\\\0', repeat('\\\\0', 1000)))",
    'REGEXP_REPLACE: exceeded',
  ],
])('%s makes no text of gigabytes', async (expression, message) => {
  await expect(resultOf(expression)).rejects.toThrow(message);
});

test('long constants are not repeated in the SQL', async () => {
  const sums = Array.from({ length: 3000 }, (_, i) => `length(concat(x, y)) + ${i}`);
  const long = `select repeat('a', 1000000) as x, '${'b'.repeat(90_000)}' as y`;
  const [row] = await differential.actual(`with c as (${long}) select greatest(${sums.join(', ')}) from c`);
  expect(row?.[0]).toBe(1_092_999n);
});
