import { expect, test } from 'vitest';
import { openTestStore, temporaryFolder } from './support.ts';

const numbers = (...values: readonly number[]) =>
  `(VALUES ${values.map((value) => `(${value})`).join(', ')})`;

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
  const store = await openTestStore(await temporaryFolder());
  const connection = await store.connect();
  try {
    expect((await connection.runAndReadAll(sql)).getRows()).toHaveLength(count);
  } finally {
    connection.closeSync();
  }
});
