import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

/** What the reference evaluator doesn't support, although BigQuery documents it. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const letters = "(select collate(x, 'und:ci') as x from unnest(['a', 'A', 'b', null]) as x)";

const documented: Readonly<Record<string, unknown>> = {
  [`select count(*) from ${letters} join (select x from unnest(['A', 'c']) as x) using (x)`]: [[2n]],
  [`select count(*) from ${letters} full join (select x from unnest(['A', 'c']) as x) using (x)`]: [[5n]],
  [`select count(*) from ${letters} as l where exists (select 1 from unnest(['B']) as x where x = l.x)`]: [
    [1n],
  ],
  "select greatest(collate('a', 'und:ci'), 'B', 'A'), least('b', collate('a', 'und:ci'), 'C')": [['B', 'a']],
  "select greatest(collate('a', 'und:ci'), null)": [[null]],
  "select collate('a', 'und:ci') not like any ('A', 'b'), collate('a', 'und:ci') not like all ('A', 'b')": [
    [true, false],
  ],
};

for (const [sql, rows] of Object.entries(documented)) {
  test(sql, async () => {
    expect(await differential.actual(sql)).toEqual(rows);
    expect(await differential.folded(sql)).toEqual(rows);
  });
}

const refused: Readonly<Record<string, string>> = {
  "select collate('a', 'de') = 'A'": "the collation 'de'",
  "select collate('a', 'unicode:ci') = 'A'": "the collation 'unicode:ci'",
  "select x from unnest(['b']) as x order by x collate 'en_US'": "the collation 'en_US'",
  [`select max_by(1, x) from ${letters}`]: 'a collation in MAX_BY',
  [`select approx_count_distinct(x) from ${letters}`]: 'a collation in APPROX_COUNT_DISTINCT',
  [`select string_agg(distinct x) from ${letters}`]: 'a collation in STRING_AGG',
  [`select any_value(x having max x) from ${letters}`]: 'HAVING MAX of a text with a collation',
  [`select x, count(*) from ${letters} group by rollup (x)`]: 'grouping sets of texts with a collation',
  [`(select x from ${letters}) except all (select x from ${letters})`]:
    'EXCEPT ALL of texts with a collation',
  "select (collate('a', 'und:ci'), 1) = ('A', 1)": 'a comparison of records or arrays with a collation',
  "select strpos(collate(x, 'und:ci'), 'b') from unnest(['שלום']) as x":
    'a search with a collation in a text with the character U+05E9',
};

for (const [sql, what] of Object.entries(refused)) {
  test(`refuses ${what}`, async () => {
    await expect(differential.actual(sql)).rejects.toThrow(what);
  });
}
