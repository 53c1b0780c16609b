import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparable, Differential } from '../../engines/duckdb/differential/differential.ts';
import { equivalents } from './equivalents.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

test.for(equivalents)('%s', { timeout: 60_000 }, async ([query, standard]) => {
  const isOrdered = /order by/i.test(query);
  const rows = await differential.folded(query);
  expect(comparable(rows, isOrdered)).toEqual(comparable(await differential.folded(standard), isOrdered));
  expect(await differential.columns(query)).toEqual(await differential.columns(standard));
});
