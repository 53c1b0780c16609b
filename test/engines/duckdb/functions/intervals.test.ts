import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start([]);
});
afterAll(() => differential[Symbol.asyncDispose]());

const equal = '(select interval 1 month as i union all select interval 30 day)';

test.each([
  [`select i, count(*) from ${equal} group by rollup (i)`, 'grouping sets of INTERVAL'],
  [`select array_agg(distinct i) from ${equal}`, 'DISTINCT with INTERVAL in ARRAY_AGG'],
  [`select sum(1 having max i) from ${equal}`, 'HAVING MAX of INTERVAL'],
  [
    `select i from ${equal} except all select interval 30 day`,
    'EXCEPT ALL of texts with a collation or INTERVAL',
  ],
  [
    `select s, count(*) from (select struct(i) as s from ${equal}) group by s`,
    'a comparison of records or arrays with INTERVAL',
  ],
])('refuses %s', async (sql, what) => {
  await expect(differential.actual(sql)).rejects.toThrow(what);
});
