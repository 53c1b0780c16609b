import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparable, Differential } from './differential.ts';
import { knownDifferences } from './known-differences.ts';
import { readQueries } from './query-file.ts';
import { parameters } from './query-parameters.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

describe('constants that are computed beforehand, a border and rows in two forms change no row', () => {
  for (const [name, sql] of readQueries((file) => file !== 'errors.sql')) {
    if (knownDifferences.has(sql)) continue;
    test(name, async () => {
      const ordered = /order by[^()]*$/i.test(sql);
      const plain = comparable(await differential.actual(sql, parameters), ordered);
      expect(comparable(await differential.folded(sql, parameters), ordered)).toEqual(plain);
    });
  }
});
