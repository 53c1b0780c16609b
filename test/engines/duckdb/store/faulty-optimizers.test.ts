import { expect, test } from 'vitest';
import { openTestStore, temporaryFolder } from './support.ts';

const numbers = (...values: readonly number[]) =>
  `(VALUES ${values.map((value) => `(${value})`).join(', ')})`;

/** Pairs of rows of a table `q`. */
const pairs = `(SELECT s1.id AS a, s2.id AS b FROM q s1, q s2 WHERE s1.r < s2.r AND s1.id <> s2.id) p
  JOIN q s3 ON s3.id = p.a JOIN q s4 ON s4.id = p.b WHERE s3.r < s4.r`;

/** The rows that a store's database gives. */
async function rowsOf(sql: string) {
  const store = await openTestStore(await temporaryFolder());
  const connection = await store.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
  }
}

/** The numbers are those of DuckDB's issues. */
test.each([
  [
    'of NULL keys (24363)',
    `SELECT * FROM (SELECT c0, row_number() OVER (PARTITION BY c0 ORDER BY NULL) AS c1 FROM ${numbers(3, 3)} t(c0)) WHERE c1 <= 7`,
    2,
  ],
  [
    'of keys that may be NULL (23677)',
    `SELECT row_number() OVER (ORDER BY nullif(id % 3, 0) DESC NULLS LAST) AS rn FROM ${numbers(1, 2, 3)} t(id) QUALIFY rn <= 3`,
    3,
  ],
  [
    'of no rows (23675, 25888)',
    'WITH s AS (SELECT count(*) AS n FROM (VALUES (1)) t(a)) SELECT * FROM s WHERE n > 5 QUALIFY row_number() OVER (ORDER BY n) = 1',
    0,
  ],
  [
    'beyond a million rows (24708)',
    `SELECT id FROM ${numbers(1, 2)} t(id) QUALIFY row_number() OVER (ORDER BY id) <= 1000000`,
    2,
  ],
])('DuckDB finds the first rows by number %s', async (_, sql, count) => {
  expect(await rowsOf(sql)).toHaveLength(count);
});

test.each([
  [
    'an outer join with unnested rows of distinct keys keeps their number (25213)',
    `SELECT a.k FROM ${numbers(1, 2)} a(k) LEFT JOIN (SELECT k, unnest([1, 2, 3]) FROM (SELECT DISTINCT k FROM ${numbers(1, 1, 3)} t(k))) b(k, e) USING (k)`,
    4,
  ],
  [
    'an outer join with unnested rows of groups keeps their number (25213)',
    `SELECT a.k FROM ${numbers(1, 2)} a(k) LEFT JOIN (SELECT k, unnest(l) FROM (SELECT k, list(e) AS l FROM (VALUES (1, 1), (1, 2)) t(k, e) GROUP BY k)) b(k, e) USING (k)`,
    3,
  ],
  [
    'parts of a union that select other columns of one join keep them apart (25819)',
    `CREATE TEMP TABLE q AS FROM (VALUES (0, 0), (1, 2), (2, 4), (3, 1)) t(id, r);
     SELECT DISTINCT x FROM (SELECT s4.id AS x FROM ${pairs} UNION ALL SELECT s3.r FROM ${pairs})`,
    4,
  ],
])('%s', async (_, sql, count) => {
  expect(await rowsOf(sql)).toHaveLength(count);
});
