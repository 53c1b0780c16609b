import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { comparable, Differential } from './differential.ts';
import { relations } from './random-relations.ts';
import { StoredRows, storedTables } from './stored-rows.ts';

let differential: Differential;
let stored: StoredRows;
beforeAll(async () => {
  differential = await Differential.start(storedTables);
  stored = await StoredRows.open(differential.analyzer);
});
afterAll(async () => {
  await stored?.[Symbol.asyncDispose]();
  await differential?.[Symbol.asyncDispose]();
});

/**
 * The queries of a night. `TEST_EFFORT=500` takes a hundred thousand in some hours; another seed takes others.
 */
const numRuns = 200 * effort;
const seed = Number(process.env.TEST_SEED ?? 20261129);

test('random relations over stored rows have the results of the reference evaluator, in all layouts', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(relations, async (sql) => {
      // Which rows of a failing expression are looked at is up to an engine, so failures say nothing.
      const expected = await differential.expected(sql).catch(() => undefined);
      if (expected === undefined) return;
      compared += 1;
      const rows = comparable(expected, false);
      for (const layout of stored.layouts) {
        expect(comparable(await stored.run(sql, layout), false), layout).toEqual(rows);
      }
    }),
    { numRuns, seed },
  );
  expect(compared).toBeGreaterThan(numRuns / 2);
});
