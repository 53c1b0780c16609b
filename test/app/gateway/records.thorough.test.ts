import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Gateway, type Row } from '../../acceptance/support/gateway.ts';
import { Workspace } from '../../acceptance/support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
  const file = (id: number, name: string, settings: string, sql: string) =>
    workspace.write(
      `endpoints/${name}.sql`,
      `/*\nid: 00000000-0000-4000-8000-00000000000${id}\nname: ${name}\n${settings}*/\n${sql}\n`,
    );
  await file(
    1,
    'cached',
    'cacheSeconds: 60\nparameters:\n  shop: {required: true}\n',
    'SELECT @shop AS shop',
  );
  await file(
    3,
    'long',
    'exportRows: 100000000\n',
    'SELECT n FROM UNNEST(GENERATE_ARRAY(1, 1000)) AS n CROSS JOIN UNNEST(GENERATE_ARRAY(1, 100000)) AS m',
  );
  await file(
    2,
    'fresh',
    'sandbox: true\n',
    'WITH own AS (SELECT 1 AS n) SELECT n, 1 / (n - 1) AS q FROM own WHERE n > 1',
  );
});
afterAll(() => workspace?.remove());

/** Commands change the store of a gateway that does not run, and its keys beside one that does. */
test('changes that commands make are recorded, also without a gateway and without a request', async () => {
  const place = await Workspace.create();
  onTestFinished(() => place.remove());
  const settings = { RECORD_CALLS: 'true' };
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
  ];
  await place.write('sources/app.json', JSON.stringify(fields));
  await place.write('sources/shops.json', JSON.stringify([{ name: 'id', type: 'STRING' }]));
  const rows = await place.writeRows('app.ndjson', [{ id: 'a', timestamp: '2026-01-01T00:00:00Z' }]);
  const shops = await place.writeRows('shops.ndjson', [{ id: 'north' }]);
  const run = async (...args: string[]) => {
    const outcome = await place.run(args, settings);
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
  };
  await run('import', 'app', rows);
  await run('import', 'shops', '--replace', shops);
  await run('rows', 'delete', 'app', '--before', '2027-01-01', '--yes');
  const gateway = await Gateway.serve(place, settings);
  try {
    await run('keys', 'create', '--name', 'later', '--scopes', 'query');
    for (let turn = 0; turn < 2; turn++) await run('keys', 'rotate', 'later');
    const changes = () =>
      gateway.rows('gateway.tables', {
        sql: "SELECT action, target, key FROM gateway.changes WHERE action != 'gateway.started' ORDER BY timestamp",
      });
    await expect.poll(changes, { timeout: 60_000, interval: 1_000 }).toEqual([
      { action: 'rows.replaced', target: 'shops', key: null },
      { action: 'rows.deleted', target: 'app', key: null },
      { action: 'key.created', target: 'later', key: null },
      { action: 'key.rotated', target: 'later', key: null },
      { action: 'key.rotated', target: 'later', key: null },
    ]);
  } finally {
    await gateway.stop();
  }
});

const serve = () => Gateway.serve(workspace, { RECORD_CALLS: 'true', RECORD_PARAMETERS: 'shop' });
const sql = async (gateway: Gateway, text: string): Promise<Row[]> =>
  gateway.rows('gateway.tables', { sql: text });

test('every call is recorded once, whatever its protocol and its outcome, and outlives the process', async () => {
  const first = await serve();
  const key = await first.createKey({ name: 'dashboard', scopes: ['query'] });
  for (let n = 0; n < 5; n++) await first.query('cached', { shop: 'north' }, { key });
  await first.query('cached', { shop: 'south' }, { key });
  await first.query('cached', {}, { key });
  await first.query('fresh', { sql: 'SELECT COUNT(*) AS n FROM own' }, { key });
  await first.query('fresh', { format: 'csv' }, { key });
  const left = new AbortController();
  const cut = await fetch(`${first.url}/api/endpoints/query/long?format=csv`, {
    headers: { 'X-API-KEY': key },
    signal: left.signal,
  });
  await cut.body?.getReader().read();
  left.abort();
  const body = JSON.stringify({ query: '{ a: cached(shop: "north") { shop } b: fresh { n } }' });
  const headers = { 'content-type': 'application/json' };
  await first.call('/graphql', { method: 'POST', key, headers, body });
  expect((await first.query('gateway.usage', {}, { key })).status).toBe(403);
  expect((await first.query('gateway.tables', { sql: 'SELECT * FROM gateway.calls' }, { key })).status).toBe(
    403,
  );
  await first.call('/api/endpoints/cache/cached', { method: 'DELETE' });
  await first.call('/api/keys/dashboard', { method: 'DELETE' });
  await first.stop();

  const second = await serve();
  try {
    const usage = await second.rows('gateway.usage', { key: 'dashboard' });
    const counts = usage.map(({ endpoint, calls, cached, errors, row_count }) => [
      endpoint,
      calls,
      cached,
      errors,
      row_count,
    ]);
    expect(counts).toEqual([
      ['cached', 8, 5, 1, 7],
      ['fresh', 3, 0, 0, 1],
      [null, 2, 0, 2, 0],
      ['long', 1, 0, 0, expect.any(Number)],
    ]);
    const forms = await sql(
      second,
      "SELECT api, query, SUM(call_count) AS calls FROM gateway.calls WHERE endpoint = 'fresh' AND key = 'dashboard' GROUP BY api, query ORDER BY api, query",
    );
    expect(forms).toEqual([
      { api: 'graphql', query: 'stored', calls: 1 },
      { api: 'rest', query: 'sql', calls: 1 },
      { api: 'rest', query: 'stored', calls: 1 },
    ]);
    const shown = await sql(
      second,
      'SELECT JSON_VALUE(parameters.shop) AS shop FROM gateway.calls WHERE parameters IS NOT NULL GROUP BY shop ORDER BY shop',
    );
    expect(shown).toEqual([{ shop: 'north' }, { shop: 'south' }]);
    expect(await second.rows('gateway.errors', { key: 'dashboard' })).toMatchObject([
      { code: 'FORBIDDEN', status: 403, endpoint: null, calls: 2 },
      { code: 'BAD_USER_INPUT', status: 400, endpoint: 'cached', calls: 1 },
    ]);
    const changes = await sql(
      second,
      "SELECT action, target, key FROM gateway.changes WHERE action != 'gateway.started' ORDER BY timestamp",
    );
    expect(changes).toEqual([
      { action: 'key.created', target: 'dashboard', key: 'API_KEY' },
      { action: 'cache.purged', target: 'cached', key: 'API_KEY' },
      { action: 'key.revoked', target: 'dashboard', key: 'API_KEY' },
    ]);
    const deleted = await second.call('/api/sources/gateway.changes/rows?before=2100-01-01', {
      method: 'DELETE',
    });
    expect(deleted.status).toBe(403);
    const body = JSON.stringify({ id: 'mine', timestamp: '2026-01-01T00:00:00Z', call_count: 1 });
    for (const target of ['/api/sources/gateway.calls/rows', '/api/logs?source=gateway.calls']) {
      const added = await second.call(target, { method: 'POST', body });
      expect([target, added.status]).toEqual([target, 403]);
    }
  } finally {
    await second.stop();
  }
});

test('a slowed call has the class in which it ran, an export of a source is a call, and a refused watcher is recorded once', async () => {
  const gateway = await serve();
  try {
    const slow = await gateway.createKey({
      name: 'slow',
      scopes: ['query'],
      allow: ['calls=1/day'],
      whenSpent: 'slow',
    });
    const spent = await gateway.createKey({ name: 'spent', scopes: ['query'], allow: ['calls=1/day'] });
    const exporting = await gateway.createKey({
      name: 'exporting',
      scopes: ['query', 'admin'],
      allow: ['calls=1/day'],
    });
    for (let turn = 0; turn < 2; turn += 1) {
      await gateway.query('fresh', {}, { key: slow });
      await gateway.call('/api/sources/gateway.changes/export', { key: exporting });
    }
    await gateway.query('fresh', {}, { key: spent });
    const headers = { accept: 'text/event-stream' };
    expect((await gateway.call('/api/endpoints/query/fresh', { key: spent, headers })).status).toBe(429);
    const calls = () =>
      sql(
        gateway,
        `SELECT key, endpoint, class, status, code, SUM(call_count) AS calls FROM gateway.calls
          WHERE key IN ('slow', 'spent', 'exporting') GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 3 DESC, 4`,
      );
    const ended = { code: null, calls: 1, status: 200 };
    const refused = { code: 'ALLOWANCE_EXHAUSTED', calls: 1, status: 429 };
    await expect.poll(calls, { timeout: 60_000, interval: 1_000 }).toEqual([
      { key: 'exporting', endpoint: 'gateway.tables', class: 'background', ...ended },
      { key: 'exporting', endpoint: 'gateway.tables', class: 'background', ...refused },
      { key: 'slow', endpoint: 'fresh', class: 'default', ...ended },
      { key: 'slow', endpoint: 'fresh', class: 'background', ...ended },
      { key: 'spent', endpoint: 'fresh', class: 'default', ...ended },
      { key: 'spent', endpoint: 'fresh', class: null, ...refused },
    ]);
  } finally {
    await gateway.stop();
  }
});
