import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { comparable, Differential } from './differential.ts';
import { knownDifferences, notEvaluable } from './known-differences.ts';
import { readQueries } from './query-file.ts';
import { parameters } from './query-parameters.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

/**
 * One in so many queries is compared, as the other test compares the rows of all with the reference evaluator. Those that
 * it can't run are compared here only.
 */
const oneIn = effort > 1 ? 1 : 3;

describe('constants that are computed beforehand, a border and rows in two forms change no row', () => {
  for (const [index, [name, sql]] of [...readQueries((file) => file !== 'errors.sql')].entries()) {
    if (knownDifferences.has(sql)) continue;
    if (index % oneIn !== 0 && !notEvaluable.test(sql)) continue;
    test(name, async () => {
      const ordered = /order by[^()]*$/i.test(sql);
      const plain = comparable(await differential.actual(sql, parameters), ordered);
      expect(comparable(await differential.folded(sql, parameters), ordered)).toEqual(plain);
    });
  }
});
