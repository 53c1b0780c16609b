import { expect, test } from 'vitest';
import { completeSql } from '../../../src/sql/editing/complete-sql.ts';
import { queryText } from '../../../src/sql/editing/query-text.ts';
import { marked, namesOf, table } from './marked.ts';

const metadata = 'ARRAY<STRUCT<host STRING, tags ARRAY<STRUCT<key STRING>>, request STRUCT<status INT64>>>';
const hosts = { id: 'STRING', timestamp: 'TIMESTAMP', place: 'STRING' };
const known = namesOf([
  table('logs.events', { id: 'STRING', timestamp: 'TIMESTAMP', level: 'STRING', metadata }),
  table('logs.hosts', hosts),
]);
const columns = ['id', 'timestamp', 'level', 'metadata'];

/** What is offered at the `‸` of a query. */
function offered(query: string) {
  const [text, offset] = marked(query);
  return completeSql(queryText(text), offset, known, true)?.options ?? [];
}

/** The columns, fields and tables that are offered, without tables to read and UNNEST. */
function names(query: string): readonly string[] {
  return offered(query)
    .filter(({ kind, detail }) => ['column', 'record', 'table'].includes(kind) && detail !== 'table')
    .map(({ label }) => label)
    .filter((label) => !label.startsWith('UNNEST'));
}

function areTablesOffered(query: string): boolean {
  const labels = offered(query).map(({ label }) => label);
  return labels.includes('logs.events') && !labels.includes('CASE');
}

test.each([
  'SELECT id FROM ‸',
  'SELECT id FROM logs.events AS e, ‸',
  'SELECT id FROM logs.events AS e JOIN ‸',
  'SELECT id FROM logs.events AS e JOIN logs.hosts AS h ON e.id = h.id, ‸',
  'SELECT id FROM logs.events AS e, UNNEST(e.metadata) AS m WITH OFFSET AS o, ‸',
  'SELECT id FROM (SELECT id FROM ‸',
  'SELECT id FROM (logs.events AS e JOIN ‸',
  'SELECT EXTRACT(DATE FROM e.timestamp) AS day FROM ‸',
  'SELECT 1 AS one, (SELECT MAX(id) FROM ‸',
  'FROM ‸',
  'FROM logs.events |> JOIN ‸',
  'FROM logs.events |> EXTEND (SELECT MAX(id) FROM ‸',
])('tables are offered where an item of FROM begins: %s', (query) => {
  expect(areTablesOffered(query)).toBe(true);
});

test.each([
  'SELECT EXTRACT(DATE FROM ‸) FROM logs.events AS e',
  'SELECT e.level IS DISTINCT FROM ‸ FROM logs.events AS e',
  'SELECT id FROM logs.events AS e WHERE e.level IS NOT DISTINCT FROM ‸',
  'SELECT id FROM logs.events AS e WHERE e.level IS DISTINCT FROM e.id GROUP BY id, ‸',
  'SELECT e.level IS DISTINCT FROM e.id AS other, ‸ FROM logs.events AS e',
  'SELECT id FROM logs.events AS e JOIN logs.hosts AS h ON e.level IN UNNEST([h.id, ‸',
  'FROM logs.events AS e |> EXTEND 1 AS one, ‸',
  'FROM logs.events AS e |> AGGREGATE COUNT(*) AS n, ‸',
  'FROM logs.events AS e |> SET level = id, ‸',
  'FROM logs.events AS e |> DROP level, ‸',
  'FROM logs.events AS e |> JOIN logs.hosts AS h USING (id) |> EXTEND 1 AS one, ‸',
])('columns and no tables are offered in expressions: %s', (query) => {
  expect(areTablesOffered(query)).toBe(false);
  expect(names(query)).toEqual(expect.arrayContaining(columns));
});

test('only items of FROM are tables', () => {
  const own = [...columns, 'e'];
  expect(names('SELECT ‸ FROM logs.events AS e WHERE e.id IS DISTINCT FROM other')).toEqual(own);
  expect(names('SELECT ‸, id IS DISTINCT FROM other, third FROM logs.events AS e')).toEqual(own);
  expect(names('FROM logs.events AS e |> SET level = id, other = ‸')).toEqual(own);
  expect(names('FROM logs.events AS e |> DROP level, other |> WHERE ‸')).toEqual(own);
  expect(
    names('SELECT ‸ FROM logs.events AS e JOIN e.metadata AS m ON x IN UNNEST([1, other])'),
  ).not.toContain('other');
  expect(names('SELECT ‸ FROM logs.events AS e JOIN e.metadata AS m ON [1, other][0] = 1')).not.toContain(
    'other',
  );
  const compared = 'SELECT id IS DISTINCT FROM level AS same, id FROM logs.events';
  expect(names(`SELECT s.‸ FROM (${compared}) AS s`)).toEqual(['same', 'id']);
  const offsets = 'FROM logs.events AS e, UNNEST(e.metadata) AS m WITH OFFSET AS o, logs.hosts AS h';
  expect(names(`SELECT ‸ ${offsets}`)).toEqual(expect.arrayContaining(['o', 'h', 'place']));
});

test('the columns of the result are offered in GROUP BY, HAVING, QUALIFY and ORDER BY, and not before', () => {
  const query = (clauses: string) =>
    `SELECT UPPER(level) AS big, COUNT(*) AS n FROM logs.events AS e ${clauses}`;
  for (const clause of ['GROUP BY ‸', 'GROUP BY big HAVING ‸', 'QUALIFY ‸', 'GROUP BY big ORDER BY n, ‸']) {
    expect(names(query(clause)), clause).toEqual(expect.arrayContaining(['big', 'n', 'level', 'e']));
  }
  expect(names(query('WHERE ‸ GROUP BY big ORDER BY n'))).toEqual([...columns, 'e']);
  expect(names(query('ORDER BY n LIMIT ‸'))).not.toContain('n');
  expect(names(`SELECT SUM(1) OVER (ORDER BY ‸) AS n FROM logs.events`)).not.toContain('n');
  const union = 'SELECT id AS first FROM logs.events UNION ALL SELECT level FROM logs.events ORDER BY ‸';
  expect(names(union)).toContain('first');
});

test('the fields of an element are offered after a subscript', () => {
  const from = 'FROM logs.events AS e';
  expect(names(`SELECT e.metadata[OFFSET(0)].‸ ${from}`)).toEqual(['host', 'tags', 'request']);
  expect(names(`SELECT e.metadata[OFFSET(0)].request.‸ ${from}`)).toEqual(['status']);
  expect(names(`SELECT metadata[SAFE_OFFSET(e.list[0])].tags[0].‸ ${from}`)).toEqual(['key']);
  expect(names(`SELECT e.metadata[OFFSET(0)].tags.‸ ${from}`)).toEqual([]);
  expect(names(`SELECT e.level[OFFSET(0)].‸ ${from}`)).toEqual([]);
  expect(names(`SELECT [e][OFFSET(0)].‸ ${from}`)).toEqual([]);
  expect(names(`SELECT e.metadata.request.‸ ${from}`)).toEqual([]);
  expect(names(`SELECT e[OFFSET(0)].‸ ${from}`)).toEqual([]);
  expect(names(`SELECT F(id)[OFFSET(0)].e.‸ ${from}`)).toEqual([]);
  expect(names(`SELECT F(id).e.‸ ${from}`)).toEqual([]);
  expect(names(`SELECT t.‸ ${from}, UNNEST(e.metadata[OFFSET(0)].tags) AS t`)).toEqual(['key']);
  expect(
    names(`SELECT s.‸ FROM (SELECT metadata[OFFSET(0)].host, metadata[0], metadata[1] AS one ${from}) AS s`),
  ).toEqual(['host', 'one']);
});

test('pipe operators decide what is offered after them', () => {
  const from = 'FROM logs.events AS e';
  expect(names(`${from} |> AS t |> WHERE t.‸`)).toEqual(columns);
  expect(names(`${from} |> WHERE ‸`)).toEqual([...columns, 'e']);
  const counted = `${from} |> AGGREGATE COUNT(*) AS n DESC, MAX(id) AS last GROUP BY level ASC, DATE(timestamp) AS day`;
  expect(names(`${counted} |> WHERE ‸`)).toEqual(['level', 'day', 'n', 'last']);
  expect(names(`${from} |> AGGREGATE COUNT(*) AS n GROUP BY ‸`)).toEqual([...columns, 'e']);
  expect(names(`${from} |> EXTEND 1 AS one |> WHERE ‸`)).toEqual([...columns, 'one', 'e']);
  expect(names(`${from} |> SELECT id, 1 AS one |> WHERE ‸`)).toEqual(['id', 'one']);
  expect(names(`${from} |> JOIN logs.hosts AS h ON ‸`)).toEqual(expect.arrayContaining(['place', 'e', 'h']));
  expect(names(`${from} |> JOIN logs.hosts AS h USING (id) |> WHERE h.‸`)).toContain('place');
  expect(names(`SELECT id AS key ${from} |> WHERE ‸`)).toEqual(['key']);
  expect(names(`(SELECT id AS key ${from}) |> WHERE ‸`)).toEqual(['key']);
  expect(names(`${from} |> SELECT id |> UNION ALL (SELECT level FROM logs.events) |> WHERE ‸`)).toEqual([
    'id',
  ]);
  expect(names(`WITH w AS (${from} |> SELECT id AS key) SELECT w.‸ FROM w`)).toEqual(['key']);
});

test('PIVOT and UNPIVOT after a table are no alias', () => {
  expect(names('SELECT ‸ FROM logs.events PIVOT (COUNT(*) FOR level IN (1))')).toContain('events');
  expect(names('SELECT ‸ FROM logs.events AS pivot')).toContain('pivot');
});

test('columns that only the analyzer knows have its types', () => {
  const [text, offset] = marked(
    'WITH w AS (SELECT MAX(timestamp) AS last FROM logs.events) SELECT w.‸ FROM w',
  );
  const analyzed = new Map([['w', [{ name: 'last', type: { kind: 'TIMESTAMP' as const } }]]]);
  const completions = completeSql(queryText(text), offset, { ...known, analyzed }, true);
  expect(completions?.options).toMatchObject([{ label: 'last', detail: 'TIMESTAMP' }]);
});
