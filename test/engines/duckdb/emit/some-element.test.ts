import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const where = async (condition: string, table = 'edge_logs') =>
  (await differential.emit(`select id from ${table} where ${condition}`)).sql;

describe('a search for an element needs no join', () => {
  test.each([
    "exists (select 1 from unnest(metadata) m, unnest(m.request) r where r.path = '/x')",
    'not exists (select m.load from unnest(metadata) as m where m.load > 1 or m.load is null)',
    "exists (select 1 from unnest(metadata) m where exists (select 1 from unnest(m.tags) g where g <> ''))",
    "exists (select * from unnest(metadata) m where 'a' in unnest(m.tags))",
  ])('%s', async (condition) => {
    expect(await where(condition)).not.toMatch(/unnest|EXISTS/);
  });
});

describe('a subquery stays one', () => {
  test.each([
    ['with columns of the row', 'exists (select 1 from unnest(arr) v where v = a)'],
    ['with offsets', 'exists (select 1 from unnest(arr) v with offset o where v > 2 and o > 0)'],
  ])('%s', async (_, condition) => {
    expect(await where(condition, 'nums')).toMatch(/unnest/);
  });
});
