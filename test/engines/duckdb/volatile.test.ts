import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from './differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

// These are what the reference evaluator can't say: it has no UUIDs, and evaluates an entry of a WITH clause several times.
test.each([
  [
    'UUIDs differ in every row and column',
    'select count(distinct a) + count(distinct b), countif(a = b) from (select generate_uuid() a, generate_uuid() b from unnest(generate_array(1, 100)))',
    [[200n, 0n]],
  ],
  [
    'UUIDs of equal windows differ',
    'select countif(a = b) from (select any_value(generate_uuid()) over (partition by t) a, any_value(generate_uuid()) over (partition by t) b from nums)',
    [[0n]],
  ],
  [
    'a UUID that is used twice is one',
    "select countif(a != b or length(c) != 37) from (select u a, u b, concat(u, 'x') c from (select generate_uuid() u from nums))",
    [[0n]],
  ],
  [
    'a UUID of a single row is the same beside all rows',
    'select count(distinct u), count(*) from nums cross join (select generate_uuid() u)',
    [[1n, 60n]],
  ],
  [
    'an entry of a WITH clause is evaluated once',
    'with r as (select rand() x from unnest([1, 2, 3])) select count(distinct m) from (select (select max(x) from r where i > 0) m from unnest(generate_array(1, 100)) i)',
    [[1n]],
  ],
  [
    'a subquery that uses no column of the query around it is evaluated once',
    'select count(distinct r), count(distinct r = r) from (select (select rand()) r from unnest(generate_array(1, 100)))',
    [[1n, 1n]],
  ],
  [
    'such a subquery has one value for all rows of a source, in whichever form they are stored',
    "select count(distinct (select rand())), count(distinct if(id < 'zzz', (select max(rand()) from nums), 0)), count(distinct array_to_string(array(select s from nums order by rand()), '')) from edge_logs",
    [[1n, 1n, 1n]],
  ],
  [
    'and so has one over an entry of a WITH clause',
    'with r as (select rand() x) select count(distinct x) from (select (select x from r) x, metadata from edge_logs) where array_length(metadata) >= 0',
    [[1n]],
  ],
])('%s', async (_, sql, rows) => {
  expect(await differential.folded(sql)).toEqual(rows);
});
