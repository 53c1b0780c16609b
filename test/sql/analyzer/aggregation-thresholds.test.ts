import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparable, Differential } from '../../engines/duckdb/differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const exams = `unnest([struct('Hansen' as name, 'P91' as test, 510 as score), ('Wang', 'U25', 500), ('Wang', 'C83', 520),
  ('Wang', 'U25', 460), ('Hansen', 'C83', 420), ('Hansen', 'C83', 560), ('Devi', 'U25', 580), ('Devi', 'P91', 480),
  ('Ivanov', 'U25', 490), ('Ivanov', 'P91', 540), ('Silva', 'U25', 550), (null, 'C83', 1)])`;
const options = (threshold: number, unit = 'name') =>
  `with aggregation_threshold options(threshold = ${threshold}, privacy_unit_column = ${unit})`;

/** The analyzer's evaluator can't run these. Each has a query in standard syntax that means the same. */
const equivalents: readonly (readonly [string, string])[] = [
  [
    `select ${options(3)} test, count(distinct name) n, avg(score) a from ${exams} group by test`,
    "select 'P91' test, 3 n, 510.0 a union all select 'U25', 4, 516.0",
  ],
  // An alias of the SELECT list doesn't hide the column.
  [
    `select ${options(3)} test as name, count(*) n from ${exams} group by test`,
    "select 'P91' name, 3 n union all select 'U25', 5",
  ],
  [`select ${options(5, 'e.name')} sum(score) s from ${exams} e`, 'select 5611 s'],
  [
    `select ${options(6)} sum(score) s from ${exams}`,
    'select cast(null as int64) s from (select 1) where false',
  ],
  [
    `select test, (select ${options(3, 'v')} count(*) from unnest([t.test, 'x']) v) n from (select distinct test from ${exams}) t`,
    `select test, cast(null as int64) n from (select distinct test from ${exams})`,
  ],
  [
    `select ${options(3)} test, sum(score) s from ${exams} group by rollup(test) having count(*) > 3 order by s`,
    `select 'U25' test, 2580 s union all select null, (select sum(score) from ${exams}) order by s`,
  ],
];

test.each(equivalents)('%s', async (query, standard) => {
  const isOrdered = query.includes('order by');
  expect(comparable(await differential.folded(query), isOrdered)).toEqual(
    comparable(await differential.folded(standard), isOrdered),
  );
});

test.each([
  ['options(threshold = 0, privacy_unit_column = id)', 'must be a positive whole number', 43],
  ["options(threshold = '2', privacy_unit_column = id)", 'cannot be coerced to expected type INT64', 55],
  ['options(threshold = 2)', 'requires the options threshold and privacy_unit_column', 58],
  ['options(threshold = 2, privacy_unit_column = arr)', 'A privacy unit column of this type', 58],
  [
    'options(threshold = 2, privacy_unit_column = id, max_groups_contributed = 1)',
    'max_groups_contributed',
    84,
  ],
])('%s is refused', async (written, message, column) => {
  const error = await differential
    .folded(`select with aggregation_threshold ${written} count(*) from nums`)
    .catch((error: unknown) => error);
  expect(String(error)).toContain(message);
  expect(error).toMatchObject({ position: { line: 1, column } });
});
