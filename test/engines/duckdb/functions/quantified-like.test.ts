import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

/** What BigQuery's documentation says where the reference evaluator of 2023 has older rules. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const none = "(select p from unnest(['a']) p where false)";

const documented: readonly (readonly [string, boolean | null])[] = [
  ["null not like any ('a', 'b')", null],
  ["'a' not like any ('a', 'b')", true],
  ["'a' not like any ('a', '%a%')", false],
  ["'a' not like any ('a', null)", null],
  ["'a' not like any ('b', null)", true],
  ["null not like all ('a', 'b')", null],
  ["'a' not like all ('b', 'c')", true],
  ["'a' not like all ('a', 'c')", false],
  ["'a' not like all ('a', null)", false],
  ["'a' not like all ('b', null)", null],
  ["not 'a' like any ('a', 'b')", false],
  ["not 'a' not /* all */ like some ('a', 'b')", false],
  ["'a' like any unnest([])", false],
  ["'a' like all unnest([])", false],
  ["'a' not like any unnest([])", true],
  ["'a' not like all unnest([])", true],
  ["'a' not like any unnest(['a', 'b'])", true],
  ["b'a' not like all unnest([b'b', null])", null],
  [`'a' like any ${none}`, false],
  [`'a' like all ${none}`, true],
  [`'a' not like any ${none}`, true],
  [`'a' not like all ${none}`, false],
  ["'a' like any (select p from unnest(['b', 'a']) p)", true],
  ["'a' like all ( -- (\n with t as (select '%' p) select p from t)", true],
  ["'ä' not like any (select p from unnest(['ä', 'b', null]) p)", true],
  ["'a' not like all (select p from unnest(['c', 'b', null]) p)", null],
];

for (const [expression, expected] of documented) {
  test(`${expression} is ${expected}`, async () => {
    const sql = `select 'ö', ${expression}`;
    const rows = [['ö', expected]];
    await expect(differential.folded(sql)).resolves.toEqual(rows);
    await expect(differential.actual(sql)).resolves.toEqual(rows);
  });
}

test('one pattern of a list is a subquery of one row', async () => {
  const rows = differential.actual("select 'a' like any ((select p from unnest(['b', 'a']) p))");
  await expect(rows).rejects.toThrow('More than one row');
});
