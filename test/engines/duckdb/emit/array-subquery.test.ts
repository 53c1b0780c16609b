import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const where = async (condition: string, table = 'edge_logs') =>
  (await differential.emit(`select id from ${table} where ${condition}`)).sql;

describe('a subquery over arrays needs no join', () => {
  test.each([
    "exists (select 1 from unnest(metadata) m, unnest(m.request) r where r.path = '/x')",
    'not exists (select m.load from unnest(metadata) as m where m.load > 1 or m.load is null)',
    "exists (select 1 from unnest(metadata) m where exists (select 1 from unnest(m.tags) g where g <> ''))",
    "exists (select * from unnest(metadata) m where 'a' in unnest(m.tags))",
    "(select r.path from unnest(metadata) m, unnest(m.request) r limit 1) = '/x'",
    "'a' in (select g from unnest(metadata) m, unnest(m.tags) g)",
    '(select count(*) from unnest(metadata) m, unnest(m.tags) g where g > id) > 1',
    "array_length(array(select as struct g, m.load from unnest(metadata) m, unnest(m.tags) g where g <> 'a')) > 1",
    'exists (select 1 from unnest(metadata) m where m.load > (select count(*) from unnest(m.tags) g where g = project))',
  ])('%s', async (condition) => {
    expect(await where(condition)).not.toMatch(/unnest|EXISTS|IN \(/);
  });
});

describe('a subquery stays one', () => {
  test.each([
    ['with offsets', 'exists (select 1 from unnest(arr) v with offset o where v > 2 and o > 0)'],
    [
      'with columns that it computes',
      'exists (select 1 from (select v + 1 as w from unnest(arr) v) where w > 3)',
    ],
    ['over known elements', "exists (select 1 from unnest(['a', 'b']) v where starts_with(s, v))"],
    [
      'over a list that is the same for all rows',
      'exists (select 1 from unnest(generate_array(1, 9)) v where v > a)',
    ],
    ['over lists beside each other', 'exists (select 1 from unnest(arr) v, unnest(arr) w where v = w)'],
    ['with a search for each element', 'exists (select 1 from unnest(arr) v where v + 1 in unnest(arr))'],
    ['with an order', 'a = (select v from unnest(arr) v order by v limit 1)'],
  ])('%s', async (_, condition) => {
    expect(await where(condition, 'nums')).toMatch(/unnest/);
  });
});
