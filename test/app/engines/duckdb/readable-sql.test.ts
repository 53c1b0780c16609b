import { expect, test } from 'vitest';
import { readableSql } from '../../../../src/app/engines/duckdb/readable-sql.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';

const statement = {
  node: 'resolved_query_stmt_node',
  resolved_query_stmt_node: { query: { column_list: [{ column_id: 7, name: '$path' }] } },
};
const columns = ['path', 'n', 'n'].map((name) => ({ name, type: { kind: 'STRING' } as const }));
const plan = newPlan({ isCallers: false, sql: '', statement, columns, parameters: new Map() });

test('has a line for each part of a query, and the names of its columns', () => {
  const sql = `SELECT c7 AS o0, f(c8, "c7.1") AS o1, 'c7, o0 FROM' AS o2 FROM (SELECT "p" AS c7 FROM t WHERE "p" > 1 AND g(a AND b) UNION ALL SELECT 1 AS c7) GROUP BY c7 ORDER BY o0, o1 LIMIT 5`;
  expect(readableSql(sql, plan)).toBe(`SELECT
  path_7 AS "path",
  f(c8, "path_7.1") AS o1,
  'c7, o0 FROM' AS o2
FROM (
  SELECT
    "p" AS path_7
  FROM t
  WHERE "p" > 1
    AND g(a AND b)
  UNION ALL
  SELECT
    1 AS path_7
)
GROUP BY path_7
ORDER BY "path", o1
LIMIT 5`);
});
