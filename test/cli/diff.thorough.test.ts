import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';
import { inProcess } from './support/in-process.ts';
import { writeFiles } from './support/write-files.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const source = JSON.stringify([
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'shop', type: 'STRING' },
  { name: 'total', type: 'NUMERIC' },
]);

const byShop = (where: string, { count = 'COUNT(*)', settings = '' } = {}) => `/*
id: ${uuid(1)}
name: by-shop
parameters:
  least: { type: NUMERIC, default: "1", example: "2" }
${settings}*/
SELECT shop, ${count} AS n
FROM logs.orders
WHERE ${where}
GROUP BY shop
ORDER BY shop
`;

const tests = `rows:
  orders:
    - { id: a, timestamp: 2026-01-01T00:00:00Z, shop: north, total: 5 }
    - { id: b, timestamp: 2026-01-01T00:00:01Z, shop: north, total: 2 }
    - { id: c, timestamp: 2026-01-01T00:00:02Z, shop: south, total: 1 }
cases:
  - { name: all, expect: { count: 2 } }
  - { name: large, parameters: { least: 5 }, expect: { count: 1 } }
`;

const ids = (query: string) => `/*\nid: ${uuid(2)}\nname: ids\n*/\n${query}\n`;

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'diff-')));
  await write({
    'sources/orders.json': source,
    'endpoints/by-shop.sql': byShop('total >= @least'),
    'endpoints/by-shop.test.yaml': tests,
    'endpoints/ids.sql': ids("SELECT id FROM logs.orders WHERE shop = 'north' AND total > 1"),
  });
});
afterEach(() => rm(folder, { recursive: true }));

const write = (files: Readonly<Record<string, string>>) => writeFiles(folder, files);

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: 'ignore' });
}

function commit(): void {
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

const environment = () => ({
  ENDPOINTS_DIR: path.join(folder, 'endpoints'),
  SOURCES_DIR: path.join(folder, 'sources'),
  RECORD_CALLS: 'false',
  DATA_DIR: path.join(folder, 'data'),
});

async function diff(...args: readonly string[]) {
  const { code, stdout, stderr } = await inProcess(['diff', ...args], environment());
  const plain = (text: string) =>
    text
      .replaceAll(`${path.relative('', folder)}/`, '')
      .replaceAll(folder, '.')
      .replace(/\([\d.]+ ms → [\d.]+ ms\)/g, '(N ms)');
  return { code, out: plain(stdout), err: plain(stderr) };
}

describe('with a revision', () => {
  test('equal answers are proved, and nothing is run', async () => {
    commit();
    await write({
      'endpoints/ids.sql': ids("-- moved\nSELECT id FROM logs.orders WHERE 1 < total AND shop IN ('north')"),
    });
    expect(await diff('HEAD')).toEqual({
      code: 0,
      err: '',
      out: 'note: no rows in DATA_DIR (./data): both versions were run on those of tests only\n2 endpoints compared with HEAD: 0 differences, 2 with the same answers\n',
    });
  });

  test('differences are told in words and on the rows of tests', async () => {
    commit();
    await write({
      'endpoints/by-shop.sql': byShop("total >= @least AND shop != 'south'", {
        count: 'COUNT(DISTINCT total)',
      }),
    });
    const { code, out } = await diff('HEAD', 'by-shop', '--rows', 'tests');
    expect(code).toBe(3);
    expect(out).toBe(`by-shop  endpoints/by-shop.sql
  answers can differ
  - filter \`shop != 'south'\` added
  - column \`n\` computed differently: \`COUNT(*)\` → \`COUNT(DISTINCT total)\` (different values are counted, each once)
  test "all" over the rows of the test {}: 2 rows → 1 row: 1 removed, 1 equal (N ms)
       shop   n
    -  south  1
  test "large" over the rows of the test {"least":5}: 1 row: all equal (N ms)

1 endpoint compared with HEAD: 1 difference, 0 with the same answers
`);
  });

  test('rows with the same keys are changed ones', async () => {
    commit();
    await write({ 'endpoints/by-shop.sql': byShop('total >= @least', { count: 'COUNT(*) * 10' }) });
    const { out } = await diff('HEAD', '--rows', 'tests', '--show', '1');
    expect(out).toContain('2 rows: 2 changed, 0 equal (rows with the same shop) (N ms)');
    expect(out).toContain('    ~  north  2 → 20\n    and 1 further row\n');
  });

  test('new, removed and renamed endpoints are told', async () => {
    commit();
    git('rm', '-q', 'endpoints/ids.sql');
    await write({
      'endpoints/by-shop.sql': byShop('total >= @least').replace('name: by-shop', 'name: per-shop'),
      'endpoints/more.sql': `/*\nid: ${uuid(3)}\nname: more\n*/\nSELECT id FROM logs.orders`,
    });
    const { code, out } = await diff('HEAD', '--json', '--rows', 'none');
    expect(code).toBe(3);
    const { endpoints } = JSON.parse(out) as {
      endpoints: { name: string; state: string; formerName?: string }[];
    };
    expect(endpoints.map(({ name, state, formerName }) => [name, state, formerName])).toEqual([
      ['ids', 'removed', undefined],
      ['more', 'new', undefined],
      ['per-shop', 'changed', 'by-shop'],
    ]);
  });

  test('parameters and settings are compared, too', async () => {
    commit();
    const changed = byShop('total >= @least AND (@other IS NULL OR shop = @other)', {
      settings: 'maxRows: 5\ncacheSeconds: 60\nliveSeconds: 9\n',
    });
    await write({
      'endpoints/by-shop.sql': changed
        .replace('default: "1"', 'required: true')
        .replace('least: {', 'other: {}\n  least: {'),
    });
    const { out } = await diff('HEAD', 'by-shop', '--rows', 'none');
    for (const text of [
      'parameter `other` added: STRING, optional',
      'parameter `least` is required now: calls without it are refused',
      'parameter `least` no longer has the default `"1"`',
      'setting `maxRows`: `1000` → `5`',
      'setting `cacheSeconds`: `0` → `60` (answers can have another age)',
      'setting `liveSeconds`: `5` → `9` (answers are the same)',
    ])
      expect(out).toContain(`  - ${text}\n`);
  });

  test('what callers write is compared, too: filters, names in GraphQL, tables of ad-hoc queries', async () => {
    const offered = (settings: string) =>
      `${byShop('total >= @least', { settings })}`.replace(
        'SELECT shop,',
        'WITH own AS (SELECT id FROM logs.orders)\nSELECT shop,',
      );
    await write({ 'endpoints/by-shop.sql': offered('filterable: true\nsandbox: true\n') });
    commit();
    await write({
      'endpoints/by-shop.sql': offered('sandbox: true\n')
        .replaceAll('own AS', 'mine AS')
        .replace('example: "2"', 'example: "2", argument: atLeast'),
    });
    const { code, out, err } = await diff('HEAD', 'by-shop', '--rows', 'none');
    expect([code, err]).toEqual([3, '']);
    for (const text of [
      'setting `filterable`: `true` → `false`',
      'parameter `least` has another name in GraphQL: `least` → `atLeast`',
      'in table own: no longer offered: ad-hoc queries that read it are refused',
      'in table mine: offered to ad-hoc queries now',
    ])
      expect(out).toContain(`  - ${text}\n`);
  });

  test('a table that is no longer offered says so in JSON, where nothing is proved about rows', async () => {
    const offered = (name: string) =>
      ids(`WITH ${name} AS (SELECT id FROM logs.orders)\nSELECT id FROM logs.orders`).replace(
        'name: ids',
        'name: ids\nsandbox: true',
      );
    await write({ 'endpoints/ids.sql': offered('own') });
    commit();
    await write({ 'endpoints/ids.sql': offered('mine') });
    const { out } = await diff('HEAD', 'ids', '--rows', 'none', '--json');
    expect(JSON.parse(out).endpoints).toMatchObject([
      {
        ...{ state: 'changed', extent: 'unknown' },
        changes: [
          { part: 'table', where: 'table own', text: expect.stringContaining('no longer offered') },
          { part: 'table', where: 'table mine' },
        ],
      },
    ]);
  });

  test.each([
    ['"id": null', 'setting `id`: `"id"` → none'],
    ['"unique": ["shop"]', 'setting `unique`: `["id"]` → `["id","shop"]`'],
    ['"timestamp": null', 'setting `timestamp`: `"timestamp"` → none'],
    ['"retentionDays": 30', 'setting `retentionDays`: none → `30`'],
    [
      '"requireTimeBound": true',
      'setting `requireTimeBound`: `false` → `true` (calls can fail that did not, or the other way round)',
    ],
    ['"lateSeconds": 60', 'setting `lateSeconds`: `86400` → `60` (answers can have another age)'],
    ['"clustering": ["shop"]', 'setting `clustering`: none → `["shop"]` (answers are the same)'],
    ['"aliases": ["sales"]', undefined],
  ])('the setting %s of a source that is read is compared', async (setting, text) => {
    await write({ 'sources/other.json': source });
    commit();
    const changed = `{ "fields": ${source}, ${setting} }`;
    await write({ 'sources/other.json': changed.replace('sales', 'other_sales') });
    expect(await diff('HEAD', '--rows', 'none')).toMatchObject({ code: 0 });
    await write({ 'sources/orders.json': changed });
    const { code, out } = await diff('HEAD', '--rows', 'none');
    expect(code).toBe(text === undefined || text.includes('are the same') ? 0 : 3);
    if (text !== undefined && code === 3)
      expect(out.split(`  - in source orders: ${text}\n`)).toHaveLength(3);
  });

  test('a revision without the folders has no endpoints', async () => {
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const { code, out, err } = await diff('HEAD');
    expect([code, err]).toEqual([3, '']);
    expect(out).toContain('note: HEAD has no endpoints: all are new\n');
    expect(out).toContain('2 endpoints compared with HEAD: 2 differences, 0 with the same answers\n');
  });

  test('an unknown endpoint is refused with the names that there are, each once', async () => {
    commit();
    const { code, err } = await diff('HEAD', 'nope');
    expect([code, err]).toEqual([2, expect.stringMatching(/available: (ids, by-shop|by-shop, ids)\n/)]);
  });

  test('errors in either version are told by place, and the other endpoints are compared', async () => {
    await write({
      'endpoints/bad.sql': `/*\nid: ${uuid(4)}\nname: bad\n*/\nSELECT nothing FROM logs.orders`,
    });
    commit();
    await write({ 'endpoints/ids.sql': ids('SELECT missing FROM logs.orders') });
    const { code, out, err } = await diff('main', '--rows', 'none');
    expect(code).toBe(1);
    expect(err).toBe(
      'main:endpoints/bad.sql:5:8: Unrecognized name: nothing\nendpoints/bad.sql:5:8: Unrecognized name: nothing\nendpoints/ids.sql:5:8: Unrecognized name: missing\n',
    );
    expect(out).toBe('1 endpoint compared with main: 0 differences, 1 with the same answers\n');
  });

  test('a changed source is a difference, and rows that no longer fit are told', async () => {
    commit();
    await write({
      'sources/orders.json': source.replace('"NUMERIC"', '"STRING"').replace('"shop"', '"store"'),
    });
    await write({
      'endpoints/by-shop.sql': byShop('CAST(total AS NUMERIC) >= @least')
        .replaceAll('shop', 'store')
        .replace('by-store', 'by-shop'),
      'endpoints/by-shop.test.yaml': tests
        .replaceAll('shop:', 'store:')
        .replace(/total: (\d)/g, 'total: "$1"'),
      'endpoints/ids.sql': ids('SELECT id FROM logs.orders'),
    });
    const { code, out } = await diff('HEAD', 'by-shop', '--rows', 'tests');
    expect(code).toBe(3);
    expect(out).toContain('  - column `shop` removed\n');
    expect(out).toContain("  note: tests not run: their rows don't fit the sources before");
  });

  test('an endpoint that reads a changed one has changed', async () => {
    await write({
      'endpoints/outer.sql': `/*\nid: ${uuid(5)}\nname: outer\n*/\nSELECT id FROM endpoints.ids`,
    });
    commit();
    await write({
      'endpoints/ids.sql': ids("SELECT id FROM logs.orders WHERE shop = 'north' AND total > 2"),
    });
    const { out } = await diff('HEAD', 'outer', '--rows', 'none');
    expect(out).toContain('  rows can only be removed from answers, before they are cut at maxRows\n');
    expect(out).toContain('  - filter narrower: `total > 1` → `total > 2`\n');
  });

  test('versions that clients can pin are compared by their numbers', async () => {
    commit();
    const query = 'SELECT id FROM logs.orders WHERE total > 7';
    await write({ 'endpoints/ids.sql': ids(query).replace('name: ids', 'name: ids\nversion: 2') });
    expect((await diff('HEAD', 'ids', '--rows', 'none')).out).toContain(
      '  - in version 1: no longer served\n',
    );
    await write({
      'endpoints/ids.sql': ids(query).replace('name: ids', 'name: ids\nversion: 2\nkeep: 1'),
      'endpoints/ids/v1.sql': ids("SELECT id FROM logs.orders WHERE shop = 'north' AND total > 2").replace(
        'name: ids',
        'name: ids\ndeprecated: 2026-01-01',
      ),
    });
    const { out } = await diff('HEAD', 'ids', '--rows', 'none');
    expect(out).toContain('  - in version 1: filter narrower: `total > 1` → `total > 2`\n');
  });

  test('what is no revision or no repository is refused', async () => {
    const none = await diff('HEAD');
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('not a git repository') });
    commit();
    for (const name of ['nowhere', '--output=x', 'HEAD:endpoints', '-x']) {
      const { code, err, out } = await diff('--', name);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`${name}: there is no such folder, and no such revision`);
    }
  });

  test('symbolic links of a revision are not followed', async () => {
    await symlink('/etc/passwd', path.join(folder, 'endpoints/link.sql'));
    commit();
    await rm(path.join(folder, 'endpoints/link.sql'));
    const { code, err } = await diff('HEAD', '--rows', 'none');
    expect([code, err]).toEqual([3, 'HEAD:endpoints/link.sql:1:1: cannot be read (it is not a file)\n']);
  });
});

describe('over the rows of data', () => {
  test('both versions answer the examples, the parameters of tests and recorded calls', async () => {
    await write({
      'orders.ndjson': ['a', 'b', 'c']
        .map((id, index) =>
          JSON.stringify({ id, timestamp: '2026-01-01T00:00:00Z', shop: `s${id}`, total: index + 1 }),
        )
        .join('\n'),
      'calls.ndjson': '{"endpoint":"by-shop","parameters":{"least":3,"unknown":1}}',
    });
    expect(
      await inProcess(['import', 'orders', path.join(folder, 'orders.ndjson')], environment()),
    ).toMatchObject({ code: 0 });
    commit();
    await write({ 'endpoints/by-shop.sql': byShop('total > @least') });
    const { code, out } = await diff(
      'HEAD',
      'by-shop',
      '--rows',
      'data',
      '--replay',
      path.join(folder, 'calls.ndjson'),
    );
    expect(code).toBe(3);
    for (const line of [
      'the examples over the rows in ./data {"least":"2"}: 2 rows → 1 row: 1 removed, 1 equal (N ms)',
      'test "all" over the rows in ./data {}: 3 rows → 2 rows: 1 removed, 2 equal (N ms)',
      'line 1 of ./calls.ndjson over the rows in ./data {"least":"3"}: 1 row → 0 rows: 1 removed, 0 equal (N ms)',
    ])
      expect(out.replaceAll('in data', 'in ./data')).toContain(`  ${line}\n`);
  });

  test('BigQuery tells what both versions would read, and runs nothing', async () => {
    await using served = await serveRows({
      edge: { columns: [{ name: 'status', type: 'INTEGER' }], rows: [] },
    });
    const before = path.join(folder, 'before');
    await cp(served.sourcesDir, path.join(before, 'sources'), { recursive: true });
    const edge = (columns: string) => `/*\nid: ${uuid(6)}\nname: edge\n*/\nSELECT ${columns} FROM logs.edge`;
    await write({ 'before/endpoints/edge.sql': edge('status'), 'now/edge.sql': edge('status, id') });
    const jobs = served.server.jobs.length;
    const { code, stdout } = await inProcess(['diff', before, '--engine', 'bigquery'], {
      ...{ GOOGLE_CLOUD_PROJECT: 'test-project', BIGQUERY_DATASET: 'logs_eu' },
      ...{ BIGQUERY_EMULATOR_HOST: served.server.url, SOURCES_DIR: served.sourcesDir },
      ENDPOINTS_DIR: path.join(folder, 'now'),
    });
    expect([code, served.server.jobs.length]).toEqual([3, jobs]);
    expect(stdout).toMatch(/\n {2}BigQuery would read [\d,]+ bytes? → [\d,]+ bytes?/);
  });
});

describe('with a folder', () => {
  test('its endpoints and sources are those before', async () => {
    const before = path.join(folder, 'before');
    for (const name of ['endpoints', 'sources'])
      await cp(path.join(folder, name), path.join(before, name), { recursive: true });
    await write({ 'endpoints/ids.sql': ids("SELECT id FROM logs.orders WHERE shop = 'north'") });
    const { code, out } = await diff(before, '--rows', 'none');
    expect(code).toBe(3);
    expect(out).toContain(
      '  rows can only be added to answers, before they are cut at maxRows\n  - filter `total > 1` dropped\n',
    );
  });

  test('a folder without endpoints is refused', async () => {
    await write({ 'empty/readme.md': '' });
    const { code, err } = await diff(path.join(folder, 'empty'));
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/empty: this folder has no endpoints in .*endpoints\n/),
    ]);
  });
});

describe('reports', () => {
  test('markdown has no markup from names and values', async () => {
    commit();
    await write({
      'endpoints/by-shop.sql': byShop("total >= @least AND shop NOT LIKE '<b>|@all`%'"),
      'endpoints/by-shop.test.yaml': tests.replaceAll('south', '"<b>|@all`x"'),
    });
    const { code, out, err } = await diff('HEAD', 'by-shop', '--format', 'markdown', '--rows', 'tests');
    expect([code, err]).toEqual([3, '']);
    expect(out).toContain("filter `shop NOT LIKE '<b>|@allˋ%'` added");
    expect(out).toContain('| `-` | ``<b>\\|@all`x`` | `1` |');
  });

  test('recorded calls are repeated where their parameters are known', async () => {
    commit();
    await write({
      'endpoints/by-shop.sql': byShop('total > @least'),
      'calls.ndjson': [
        JSON.stringify({ endpoint: 'by-shop', path: '/api/endpoints/query/by-shop', status: 200 }),
        JSON.stringify({ path: '/api/endpoints/query/by-shop?least=3', status: 200 }),
        'no JSON',
      ].join('\n'),
    });
    const { out } = await diff(
      'HEAD',
      'by-shop',
      '--replay',
      path.join(folder, 'calls.ndjson'),
      '--rows',
      'tests',
    );
    expect(out).toContain("note: 1 recorded call has no parameter values, and can't be repeated\n");
    expect(out).toContain('note: recorded calls not run: there are no rows to run them on\n');
    expect(out).toContain('note: 1 lines of ./calls.ndjson are not records of calls\n');
  });
});
