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
  ['SELECT id, ROW_NUMBER() OVER (ORDER BY ts, id) AS k FROM logs.x QUALIFY k < 10 ORDER BY k', 'k, id'],
  ['SELECT id, RANK() OVER (ORDER BY ts) AS k FROM logs.x QUALIFY k < 10 ORDER BY k', 'k, id'],
  ['SELECT id, COUNT(*) OVER (PARTITION BY ts) AS k FROM logs.x ORDER BY k', 'k, id'],
  ['SELECT id FROM logs.x QUALIFY ROW_NUMBER() OVER (PARTITION BY DATE(ts) ORDER BY ts DESC, id) = 1', 'id'],
  ['SELECT id, COUNT(*) OVER (ORDER BY ts) AS k FROM logs.x ORDER BY k', 'k, id'],
  [
    'SELECT id, ROW_NUMBER() OVER (ORDER BY ts) AS k, ARRAY(SELECT tag FROM UNNEST(tags) AS tag) AS t FROM logs.x',
    'id',
  ],
  [
    'SELECT n, SUM(LENGTH(id)) AS c, AVG(LENGTH(id)) AS a, MAX(n) AS m FROM logs.x GROUP BY n ORDER BY c, a, m',
    'c, a, m, n',
  ],
  [
    'SELECT a.ts, b.n FROM (SELECT ts FROM logs.x GROUP BY ts) AS a FULL JOIN (SELECT n FROM logs.y GROUP BY n) AS b ON UNIX_SECONDS(a.ts) = b.n',
    'ts, n',
  ],
  ['SELECT id FROM logs.x WHERE EXISTS (SELECT 1 FROM logs.y AS y WHERE y.n = x.n)', 'id'],
])('%s is ordered by %s', async (sql, expected) => {
  expect(await sentence(sql)).toBe(expected);
});

const unknown =
  'no: nothing in its result is known to identify a row: a unique column of a source, such as "id", or all keys of a GROUP BY';

test.each([
  ['SELECT ts FROM logs.plain ORDER BY ts', unknown],
  [
    'SELECT id, tag FROM logs.x, UNNEST(tags) AS tag',
    'no: nothing in its result is known to identify a row: it has an UNNEST without WITH OFFSET',
  ],
  [
    'SELECT id FROM logs.x UNION ALL SELECT id FROM logs.y',
    'no: nothing in its result is known to identify a row: it has a UNION ALL',
  ],
  [
    'SELECT a.n, b.n AS o FROM (SELECT n FROM logs.x GROUP BY n) AS a FULL JOIN (SELECT n FROM logs.y GROUP BY n) AS b USING (n)',
    'no: nothing in its result is known to identify a row: it has a FULL JOIN of rows whose keys can be NULL',
  ],
  [
    'SELECT a.c, b.c AS d FROM (SELECT COUNT(*) AS c FROM logs.x) AS a FULL JOIN (SELECT COUNT(*) AS c FROM logs.y) AS b ON a.c = b.c',
    'no: nothing in its result is known to identify a row: it has a FULL JOIN of rows whose keys can be NULL',
  ],
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

const tied = 'ROW_NUMBER over a window whose order has no unique column';
const key = (reason: string) => `no: "k" depends on ${reason}, which can differ in each run`;
const rows = (reason: string) => `no: its rows depend on ${reason}, which can differ in each run`;

test.each([
  ['SELECT id, ROW_NUMBER() OVER (ORDER BY ts) AS k FROM logs.x ORDER BY k', key(tied)],
  [
    'SELECT id, ROW_NUMBER() OVER (PARTITION BY DATE(ts) ORDER BY ts) + 1 AS k FROM logs.x ORDER BY k',
    key(tied),
  ],
  ["SELECT id, ROW_NUMBER() OVER (ORDER BY COLLATE(id, 'und:ci')) AS k FROM logs.x ORDER BY k", key(tied)],
  [
    'WITH a AS (SELECT id, ROW_NUMBER() OVER (ORDER BY ts) AS r FROM logs.x), b AS (SELECT id, r * 2 AS s FROM a) SELECT id, s AS k FROM b ORDER BY k',
    key(tied),
  ],
  ['SELECT k FROM (SELECT ROW_NUMBER() OVER (ORDER BY ts) AS k FROM logs.x) GROUP BY k', rows(tied)],
  [
    'WITH a AS (SELECT n, ROW_NUMBER() OVER (ORDER BY ts) AS r FROM logs.x) SELECT n, (SELECT MAX(r) FROM a) AS k FROM logs.x GROUP BY n ORDER BY k',
    key(tied),
  ],
  [
    'WITH a AS (SELECT id, ROW_NUMBER() OVER (ORDER BY ts) AS r FROM logs.x) SELECT n, (SELECT r FROM a) AS k FROM logs.x GROUP BY n ORDER BY k',
    key(tied),
  ],
  [
    'SELECT id, SUM(LENGTH(id)) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS k FROM logs.x ORDER BY k',
    key('SUM over a window of ROWS whose order has no unique column'),
  ],
  [
    'SELECT id, LAG(id) OVER (ORDER BY ts) AS k FROM logs.x ORDER BY k',
    key('LAG over a window whose order has no unique column'),
  ],
  ['SELECT id, AVG(n) OVER (PARTITION BY ts) AS k FROM logs.x ORDER BY k', key('AVG of FLOAT64')],
  [
    'SELECT id, COUNT(*) OVER (PARTITION BY r) AS k FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY ts) AS r FROM logs.x) ORDER BY k',
    key(tied),
  ],
  ['SELECT n, ANY_VALUE(id) AS k FROM logs.x GROUP BY n ORDER BY k', key('ANY_VALUE')],
  ['SELECT n, ANY_VALUE(id HAVING MAX ts) AS k FROM logs.x GROUP BY n ORDER BY k', key('ANY_VALUE')],
  ['SELECT n, MAX_BY(id, ts) AS k FROM logs.x GROUP BY n ORDER BY k', key('MAX_BY')],
  ['SELECT n, ARRAY_AGG(id)[OFFSET(0)] AS k FROM logs.x GROUP BY n ORDER BY k', key('ARRAY_AGG')],
  ["SELECT n, STRING_AGG(id, ',' ORDER BY ts) AS k FROM logs.x GROUP BY n ORDER BY k", key('STRING_AGG')],
  ['SELECT ts, SUM(n) AS k FROM logs.x GROUP BY ts ORDER BY k', key('SUM of FLOAT64')],
  ['SELECT ts, AVG(n) AS k FROM logs.x GROUP BY ts ORDER BY k', key('AVG of FLOAT64')],
  ['SELECT ts, STDDEV(n) AS k FROM logs.x GROUP BY ts ORDER BY k', key('STDDEV_SAMP')],
  [
    'SELECT ts, APPROX_COUNT_DISTINCT(n) AS k FROM logs.x GROUP BY ts ORDER BY k',
    key('APPROX_COUNT_DISTINCT'),
  ],
  [
    'SELECT id, (SELECT y.n FROM logs.y AS y LIMIT 1) AS k FROM logs.x ORDER BY k',
    key('a LIMIT in a subquery'),
  ],
  [
    'SELECT id, ARRAY(SELECT y.id FROM logs.y AS y)[OFFSET(0)] AS k FROM logs.x ORDER BY k',
    key('an ARRAY subquery'),
  ],
  ['SELECT id FROM logs.x QUALIFY ROW_NUMBER() OVER (PARTITION BY DATE(ts) ORDER BY ts) = 1', rows(tied)],
  ['SELECT ts FROM logs.x GROUP BY ts HAVING SUM(n) > 1', rows('SUM of FLOAT64')],
  [
    'SELECT a.id FROM logs.x AS a JOIN (SELECT ts, ANY_VALUE(id) AS id FROM logs.y GROUP BY ts) AS b ON a.ts = b.ts AND a.id > b.id',
    rows('ANY_VALUE'),
  ],
  ['SELECT id FROM logs.x UNION DISTINCT SELECT ANY_VALUE(id) FROM logs.y', rows('ANY_VALUE')],
  [
    'SELECT place, tag FROM UNNEST(ARRAY(SELECT id FROM logs.x)) AS tag WITH OFFSET AS place',
    rows('an ARRAY subquery'),
  ],
  ['SELECT id FROM logs.x WHERE id IN (SELECT id FROM logs.y LIMIT 600)', rows('a LIMIT in a subquery')],
  ['SELECT id FROM logs.x WHERE id = (SELECT id FROM logs.y LIMIT 1)', rows('a LIMIT in a subquery')],
  [
    'SELECT id FROM logs.x WHERE EXISTS (SELECT id FROM logs.y LIMIT 1 OFFSET 3)',
    rows('a LIMIT in a subquery'),
  ],
  [
    'WITH e AS (SELECT id FROM logs.y LIMIT 5) SELECT id FROM logs.x WHERE id IN (SELECT id FROM e)',
    'no: it has a LIMIT in a subquery, whose rows another run may not find again',
  ],
])('%s depends on chance: %s', async (sql, expected) => {
  expect(await sentence(sql)).toBe(expected);
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
