import { endpointTarget, type PagedGateway } from './support.ts';

/** A query whose entry `t` has a column of each type that can order rows, with NULLs, ties, and the values that are hard to compare. */
export const keyTypes = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f01
name: types
maxRows: 500
sandbox: true
*/
WITH t AS (
  SELECT
    id,
    timestamp AS seen,
    MOD(n, 3) = 0 AS bool,
    CASE MOD(n, 4) WHEN 0 THEN NULL WHEN 1 THEN 9007199254740993 + MOD(n, 3) ELSE -9223372036854775807 + MOD(n, 5) END AS int64,
    CASE MOD(n, 7)
      WHEN 0 THEN NULL WHEN 1 THEN CAST('NaN' AS FLOAT64) WHEN 2 THEN CAST('-inf' AS FLOAT64)
      WHEN 3 THEN -0.0 WHEN 4 THEN 0.0 WHEN 5 THEN CAST('inf' AS FLOAT64) ELSE n / 3
    END AS float64,
    IF(MOD(n, 5) = 0, NULL, NUMERIC '12345678901234567890.123456789' + MOD(n, 4)) AS numeric,
    BIGNUMERIC '0.00000000000000000000000000000000000001' * MOD(n, 4) AS bignumeric,
    CASE MOD(n, 6) WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'é' WHEN 3 THEN 'e' WHEN 4 THEN '👍\\'\\\\"' ELSE 'Z' END AS string,
    COLLATE(IF(MOD(n, 2) = 0, 'a', 'A'), 'und:ci') AS collated,
    CASE MOD(n, 4) WHEN 0 THEN NULL WHEN 1 THEN b'' WHEN 2 THEN b'\\xff\\x00' ELSE b'a' END AS bytes,
    DATE_ADD(DATE '2026-02-27', INTERVAL MOD(n, 4) DAY) AS date,
    DATETIME_ADD(DATETIME '2026-02-28 23:59:59.999999', INTERVAL MOD(n, 4) MICROSECOND) AS datetime,
    TIME_ADD(TIME '10:00:00', INTERVAL MOD(n, 4) MICROSECOND) AS time
  FROM logs.rows
)
SELECT id, seen FROM t`;

/** The columns of `t`. */
export const keyColumns = [
  'seen',
  'bool',
  'int64',
  'float64',
  'numeric',
  'bignumeric',
  'string',
  'collated',
  'bytes',
  'date',
  'datetime',
  'time',
];

export const rowsSource = JSON.stringify([
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'n', type: 'INT64', mode: 'NULLABLE' },
  { name: 'shop', type: 'STRING', mode: 'NULLABLE' },
]);

/** Rows of which three each have the same time. */
export function someRows(count: number, from = 0) {
  const begin = Date.now() - 3_600_000;
  return Array.from({ length: count }, (_, index) => {
    const n = from + index;
    const micros = String(n % 10).padStart(3, '0');
    const time = new Date(begin + Math.floor(n / 3)).toISOString().replace('Z', `${micros}Z`);
    return { id: `id-${(n * 7919) % 104_729}`, timestamp: time, n, shop: n % 2 === 0 ? 'north' : 'south' };
  });
}

export const orders = ['', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST'] as const;

/** The ids of rows in the order of a column, from pages and as a whole. */
export async function bothWays(gateway: PagedGateway, column: string, order: string) {
  const sql = `SELECT id, ${column} AS k FROM t ORDER BY k${order}`;
  const pages = await gateway.walk(endpointTarget('types', { sql, limit: '37' }));
  const { body } = await gateway.get(endpointTarget('types', { sql: `${sql}, id` }));
  return { walked: pages.map(({ id }) => id), whole: (body.result ?? []).map(({ id }) => id) };
}
