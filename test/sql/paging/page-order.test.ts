import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';
import { knownColumns, pagingOf } from '../../../src/sql/paging/page-order.ts';
import { pagingSentence } from '../../../src/sql/plan/paging.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';

const columns = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'ts', type: { kind: 'TIMESTAMP' } },
  { name: 'n', type: { kind: 'FLOAT64' } },
  { name: 'tags', type: { kind: 'ARRAY', element: { kind: 'STRING' } } },
] as const;
const known = { unique: ['id'], filled: ['ts'] };
const catalog: Catalog = {
  tables: [
    { path: ['logs', 'x'], columns, ...known },
    { path: ['logs', 'y'], columns, ...known },
    { path: ['logs', 'plain'], columns },
  ],
};
const parameters = new Map<string, SqlType>([
  ['k', { kind: 'INT64' }],
  ['p', { kind: 'STRING' }],
]);

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

async function sentence(sql: string): Promise<string> {
  const paging = pagingOf(await analyzer.analyze(sql, { catalog, parameters }), knownColumns(catalog));
  const text = pagingSentence(paging);
  return text.replace(/^can be read in pages, ordered by /, '').replace(/^can't be read in pages: /, 'no: ');
}

test.each([
  ['SELECT * FROM logs.x ORDER BY ts DESC', 'ts DESC, id'],
  ['SELECT id FROM logs.x', 'id'],
  ['SELECT id, n FROM logs.x ORDER BY id, n', 'id'],
  ['SELECT id, n FROM logs.x ORDER BY n DESC NULLS FIRST', 'n DESC NULLS FIRST, id'],
  ['SELECT id AS a, id AS b FROM logs.x WHERE n > 1 ORDER BY b', 'a'],
  ['WITH e AS (SELECT id, ts AS t FROM logs.x) SELECT * FROM e ORDER BY t', 't, id'],
  [
    '(SELECT id FROM logs.x ORDER BY ts) LIMIT 5',
    'no: its result lacks the column "ts", which orders or identifies its rows',
  ],
  ['SELECT n, COUNT(*) AS c FROM logs.x GROUP BY n ORDER BY COUNT(*) DESC', 'c DESC, n'],
  ['SELECT n, ts, COUNT(*) AS c FROM logs.plain GROUP BY n, ts', 'n, ts'],
  ['SELECT ts, COUNT(*) AS c FROM logs.x WHERE n = 2.0 GROUP BY ts, n', 'ts'],
  ['SELECT DISTINCT ts, n FROM logs.plain ORDER BY n', 'n, ts'],
  ['SELECT id FROM logs.x UNION DISTINCT SELECT id FROM logs.y', 'id'],
  ['SELECT id FROM logs.x EXCEPT DISTINCT SELECT id FROM logs.y', 'id'],
  ['SELECT a.id, b.n FROM logs.x AS a JOIN logs.y AS b USING (id)', 'id'],
  ['SELECT a.id FROM logs.x AS a, logs.y AS b WHERE a.id = b.id', 'id'],
  ['SELECT a.id, b.id AS other FROM logs.x AS a JOIN logs.y AS b ON a.n = b.n', 'id, other'],
  [
    'SELECT a.id FROM logs.x AS a LEFT JOIN (SELECT n, MAX(ts) AS ts FROM logs.y GROUP BY n) AS b USING (n)',
    'id',
  ],
  ['SELECT id, place FROM logs.x, UNNEST(tags) AS tag WITH OFFSET AS place', 'id, place'],
  [
    "SELECT d, c FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-01', '2026-02-01')) AS d LEFT JOIN (SELECT DATE(ts) AS d, COUNT(*) AS c FROM logs.x GROUP BY d) USING (d)",
    'd',
  ],
  ['SELECT id, ROW_NUMBER() OVER (ORDER BY ts) AS k FROM logs.x QUALIFY k < 10 ORDER BY k', 'k, id'],
])('%s is ordered by %s', async (sql, expected) => {
  expect(await sentence(sql)).toBe(expected);
});

const unknown =
  'no: nothing in its result is known to identify a row: a unique column of a source, such as "id", or all keys of a GROUP BY';

test.each([
  ['SELECT ts FROM logs.plain ORDER BY ts', unknown],
  ['SELECT id, tag FROM logs.x, UNNEST(tags) AS tag', unknown],
  ['SELECT id FROM logs.x UNION ALL SELECT id FROM logs.y', unknown],
  ['SELECT a.id FROM logs.x AS a JOIN logs.y AS b ON a.n = b.n', unknown],
  ['SELECT a.id FROM logs.x AS a LEFT JOIN logs.plain AS b USING (id)', unknown],
  ['SELECT n FROM logs.x GROUP BY ROLLUP(n)', unknown],
  ['SELECT id AS a, ts AS a FROM logs.x', 'a'],
  [
    "SELECT COLLATE(id, 'und:ci') AS id FROM logs.x",
    'no: its result lacks the column "id", which orders or identifies its rows',
  ],
  [
    "SELECT a.id FROM logs.x AS a JOIN logs.y AS b ON COLLATE(a.id, 'und:ci') = b.id",
    'no: its result lacks the column "id", which orders or identifies its rows',
  ],
  ['SELECT id, RAND() AS r FROM logs.x ORDER BY r', 'no: it calls RAND, which differs in each run'],
  ['SELECT id FROM logs.x TABLESAMPLE SYSTEM (10 PERCENT)', 'no: it has a TABLESAMPLE'],
  [
    'SELECT id, TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), ts, SECOND) AS age FROM logs.x ORDER BY age',
    'no: "age" changes with the time of the run: it calls CURRENT_TIMESTAMP',
  ],
  ['SELECT id FROM logs.x ORDER BY id LIMIT 5 OFFSET 2', 'no: it has an OFFSET'],
  [
    '(SELECT id FROM logs.x LIMIT 5) ORDER BY id',
    'no: it has a LIMIT in a subquery, whose rows another run may not find again',
  ],
  ['SELECT id, (SELECT y.n FROM logs.y AS y WHERE y.id = x.id LIMIT 1) AS n FROM logs.x AS x', 'id'],
  ['SELECT AS STRUCT id FROM logs.x', 'no: its rows are values, not columns'],
  ['SELECT COUNT(*) AS c FROM logs.x', 'is one page: it has one row at most'],
])('%s: %s', async (sql, expected) => {
  const found = await sentence(sql);
  if (sql.startsWith('SELECT id AS a, ts AS a')) expect(found).toContain('has no name of its own');
  else expect(found).toBe(expected);
});

test('a limit of the query is known, as a number or by its parameter', async () => {
  const limitOf = async (sql: string) => {
    const paging = pagingOf(await analyzer.analyze(sql, { catalog, parameters }), knownColumns(catalog));
    return 'order' in paging ? paging.order.limit : paging.refused;
  };
  expect(await limitOf('SELECT id FROM logs.x LIMIT 5')).toBe(5n);
  expect(await limitOf('SELECT id FROM logs.x LIMIT @k OFFSET 0')).toEqual({ parameter: 'k' });
  expect(await limitOf('SELECT id FROM logs.x')).toBeUndefined();
});
