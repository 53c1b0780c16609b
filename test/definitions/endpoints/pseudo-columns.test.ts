import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningGateway } from '../../../src/app/gateway/run-gateway.ts';
import { type ServedRows, serveRows } from '../../tools/emulators/bigquery/support/served-rows.ts';
import {
  endpointFile,
  engines,
  problemsOf,
  type StartedGateway,
  startGateway,
} from './support/both-engines.ts';

const columns = [
  { name: 'n', type: 'INTEGER' },
  {
    name: 'metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [{ name: 'path', type: 'STRING' }],
  },
] as const;

/** Rows of four days; the second has two elements, which the store keeps in another form. */
const stored = [
  { id: 'a', timestamp: '2025-12-31T23:59:59.999999Z', n: 1, metadata: [{ path: '/a' }] },
  { id: 'b', timestamp: '2026-01-01T00:00:00Z', n: 2, metadata: [{ path: '/b' }, { path: '/c' }] },
  { id: 'c', timestamp: '2026-01-01T12:00:00Z', n: 3, metadata: [] },
  { id: 'd', timestamp: '2026-01-02T00:00:00Z', n: 4, metadata: [{ path: '/d' }] },
];

let rows: ServedRows;
beforeAll(async () => {
  rows = await serveRows({
    events: { columns: [...columns], rows: stored, wildcard: 'DAY' },
    clicks: { columns: [...columns], rows: stored, partitioned: 'DAY' },
    plain: { columns: [...columns], rows: [] },
  });
});
afterAll(() => rows?.[Symbol.asyncDispose]());

async function prepareRows({ rows: store }: RunningGateway) {
  const lines = stored.map((row) => `${JSON.stringify(row)}\n`).join('');
  const { signal } = new AbortController();
  for (const source of ['events', 'clicks']) {
    const body = (async function* () {
      yield Buffer.from(lines);
    })();
    await store?.receive(source, body, { skipBadRows: false, signal });
  }
}

const cases: readonly (readonly [name: string, sql: string, result: readonly object[]])[] = [
  [
    'the tables of a wildcard are chosen by their suffix',
    "SELECT _TABLE_SUFFIX AS day, COUNT(*) AS n FROM `logs.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260102' GROUP BY day ORDER BY day",
    [
      { day: '20260101', n: 2 },
      { day: '20260102', n: 1 },
    ],
  ],
  [
    'a suffix is a column like others, beside arrays and for an alias',
    "SELECT e.id, e._table_suffix AS day, m.path FROM `logs`.`events_*` AS e CROSS JOIN UNNEST(e.metadata) AS m WHERE e._TABLE_SUFFIX = '20260101' ORDER BY path",
    [
      { id: 'b', day: '20260101', path: '/b' },
      { id: 'b', day: '20260101', path: '/c' },
    ],
  ],
  [
    'partitions are chosen by time',
    "SELECT id, _PARTITIONTIME AS t, _PARTITIONDATE AS d FROM logs.clicks WHERE _PARTITIONTIME >= TIMESTAMP('2026-01-01') AND _PARTITIONDATE < DATE '2026-01-02' ORDER BY id",
    [
      { id: 'b', t: 1767225600000000, d: '2026-01-01' },
      { id: 'c', t: 1767225600000000, d: '2026-01-01' },
    ],
  ],
  [
    'a star does not have them',
    "SELECT * FROM `logs.events_*` WHERE _TABLE_SUFFIX = '20251231'",
    [{ id: 'a', timestamp: expect.anything(), n: 1, metadata: [{ path: '/a' }] }],
  ],
  [
    'they are read with wide columns of the newest rows',
    'SELECT id, metadata, _TABLE_SUFFIX AS day FROM `logs.events_*` ORDER BY timestamp DESC LIMIT 3',
    [
      { id: 'd', metadata: [{ path: '/d' }], day: '20260102' },
      { id: 'c', metadata: [], day: '20260101' },
      { id: 'b', metadata: [{ path: '/b' }, { path: '/c' }], day: '20260101' },
    ],
  ],
];

/** The emulator of BigQuery has no tables of single days: `test/engines/bigquery/sql/tables.test.ts` tells what it is sent. */
const dayCases: typeof cases = [
  [
    'a longer prefix of a wildcard leaves the rest of the days as suffix',
    "SELECT e.id, e._TABLE_SUFFIX AS day FROM `logs.events_2026*` AS e WHERE e._TABLE_SUFFIX < '0102' ORDER BY id",
    [
      { id: 'b', day: '0101' },
      { id: 'c', day: '0101' },
    ],
  ],
  [
    'a prefix of a month and one of a whole day',
    'SELECT id FROM `logs.events_202512*` UNION ALL SELECT CONCAT(id, _TABLE_SUFFIX) FROM `logs`.`events_20260102*` ORDER BY 1',
    [{ id: 'a' }, { id: 'd' }],
  ],
  [
    'a single day is a table, without a suffix, read beside others',
    'SELECT a.id, (SELECT COUNT(*) FROM logs.events_20260102) AS n, (SELECT COUNT(*) FROM `logs.events_*`) AS all_rows, ARRAY(SELECT path FROM a.metadata ORDER BY path) AS paths FROM `logs.events_20260101` AS a ORDER BY a.id',
    [
      { id: 'b', n: 1, all_rows: 4, paths: ['/b', '/c'] },
      { id: 'c', n: 1, all_rows: 4, paths: [] },
    ],
  ],
  [
    'digits that begin no day have no rows',
    'SELECT (SELECT COUNT(*) FROM `logs.events_202613*`) AS a, (SELECT COUNT(*) FROM `logs.events_2*`) AS b, (SELECT COUNT(*) FROM `logs.events_9999*`) AS c',
    [{ a: 0, b: 4, c: 0 }],
  ],
  [
    'a star does not have the suffix of a longer prefix',
    'SELECT * FROM `logs.events_20251*`',
    [{ id: 'a', timestamp: expect.anything(), n: 1, metadata: [{ path: '/a' }] }],
  ],
];

const files = {
  ...Object.fromEntries(dayCases.map(([, sql], index) => [`day${index}`, endpointFile(`day${index}`, sql)])),
  ...Object.fromEntries(cases.map(([, sql], index) => [`case${index}`, endpointFile(`case${index}`, sql)])),
  days: endpointFile(
    'days',
    "WITH days AS (SELECT _TABLE_SUFFIX AS day, n FROM `logs.events_*` WHERE _TABLE_SUFFIX >= '2026') SELECT day FROM days",
    'sandbox: true\n',
  ),
  named: endpointFile('named', 'SELECT `events_*`.n FROM logs.`events_*`'),
};

describe.each(engines)('on %s', (engine) => {
  let gateway: StartedGateway;
  beforeAll(async () => {
    gateway = await startGateway(engine, rows, files, { prepareRows });
  });
  afterAll(() => gateway?.[Symbol.asyncDispose]());

  test.each(cases.map(([name, , result], index) => [name, `case${index}`, result] as const))(
    '%s',
    async (_, endpoint, result) => {
      expect(await gateway.call(endpoint)).toEqual({ status: 200, json: { result } });
    },
  );

  if (engine === 'duckdb') {
    test.each(dayCases.map(([name, , result], index) => [name, `day${index}`, result] as const))(
      '%s',
      async (_, endpoint, result) => {
        expect(await gateway.call(endpoint)).toEqual({ status: 200, json: { result } });
      },
    );
  }

  test('callers see them only where the stored query names them', async () => {
    const ask = (sql: string) => gateway.call(`days?sql=${encodeURIComponent(sql)}`);
    expect(await ask("SELECT day, SUM(n) AS n FROM days WHERE day < '20260102' GROUP BY day")).toEqual({
      status: 200,
      json: { result: [{ day: '20260101', n: 5 }] },
    });
    expect(await ask('SELECT _TABLE_SUFFIX AS x FROM days')).toMatchObject({ status: 400 });
    expect(await ask('SELECT n FROM `logs.events_*`')).toMatchObject({ status: 400 });
  });

  if (engine === 'bigquery') {
    test('the wildcard is in the dataset of the settings', async () => {
      expect((await gateway.call('named')).status).toBe(200);
      const sent = rows.server.requests.findLast(({ path }) => path.endsWith('/jobs'));
      expect(JSON.parse(sent?.body ?? '').configuration.query.query.trim()).toBe(
        'SELECT `events_*`.n FROM `test-project.logs_eu.events_*` AS `events_*`\nLIMIT 1001',
      );
    });
  }
});

test.each([
  ['SELECT _TABLE_SUFFIX AS x FROM logs.plain', 'Unrecognized name: _TABLE_SUFFIX'],
  ['SELECT _PARTITIONTIME AS x FROM `logs.events_*`', 'Unrecognized name: _PARTITIONTIME'],
  ['SELECT _TABLE_SUFFIX AS x FROM logs.events_20260101', 'Unrecognized name: _TABLE_SUFFIX'],
  ['SELECT n FROM logs.events_20260230', 'Table not found: logs.events_20260230'],
  ['SELECT n FROM `logs.events_x*`', 'Table not found: `logs.events_x*`; Did you mean logs.events_*?'],
  ['SELECT n FROM `logs.clicks_2026*`', 'Table not found: `logs.clicks_2026*`'],
  ['SELECT n FROM logs.events', 'Table not found: logs.events; Did you mean logs.events_*?'],
  ['SELECT n FROM `logs.clicks_*`', 'Table not found: `logs.clicks_*`'],
  [
    'SELECT _TABLE_SUFFIX FROM `logs.events_*`',
    'BigQuery refuses a result with the column name "_TABLE_SUFFIX". Give the column an alias',
  ],
])('check refuses %s', async (sql, text) => {
  expect(await problemsOf(sql, rows)).toEqual([
    expect.objectContaining({ line: 5, text: expect.stringContaining(text) }),
  ]);
});
