import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from './differential.ts';

/**
 * What GoogleSQL's reference doesn't say, and its evaluator does otherwise: subqueries in AND and OR are evaluated only if the
 * operands before them decide nothing.
 */

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const fails = '(select div(n.id, 0) from nums n where n.id = m.id) = 1';
const manyRows = '(select n.id from nums n) = 1';

test.each([
  [`m.id = 1 or ${fails}`, true],
  [`m.id = 2 and ${fails}`, false],
  [`m.id = 1 or ${manyRows}`, true],
  [`m.id = 1 or (m.id = 1 and ${fails})`, true],
  [`m.id = 2 and (m.id = 2 or ${fails})`, false],
  [`exists(select 1 from nums n where n.id = m.id) or ${fails}`, true],
])('%s', async (condition, value) => {
  const rows = await differential.folded(`select ${condition} from nums m where m.id = 1`);
  expect(rows.map((row) => [...row])).toEqual([[value]]);
});

test.each([`m.id = 2 or ${fails}`, `m.id = 1 and ${fails}`, `m.id = 1 and ${manyRows}`])(
  '%s fails',
  async (condition) => {
    const rows = differential.folded(`select ${condition} from nums m where m.id = 1`);
    await expect(rows).rejects.toThrow();
  },
);
