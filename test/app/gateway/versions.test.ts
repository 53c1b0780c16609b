import { mkdir, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../../src/app/gateway/run-gateway.ts';
import type { RequestLine } from '../../../src/server/http/request/request-log.ts';
import { eventually } from '../../acceptance/support/processes.ts';
import { Workspace } from '../../acceptance/support/workspace.ts';

const quiet = { info() {}, warn() {}, error() {} };
const id = '00000000-0000-4000-8000-000000000001';
const file = (settings: string, sql: string) =>
  `/*\nid: ${id}\nname: orders.by-day\ncacheSeconds: 60\n${settings}*/\n${sql}\n`;
const shop = 'parameters:\n  shop: {required: true}\n';

const newest = file(`version: 3\nkeep: 2\n${shop}`, 'SELECT @shop AS shop, 3 AS total');
const second = file(
  `version: 2\ndeprecated: 2026-11-01\nsandbox: true\n${shop}`,
  'WITH own AS (SELECT @shop AS shop, 2 AS n) SELECT * FROM own',
);
const first = file(
  'deprecated: 2026-01-31\nsunset: 2027-01-31\nparameters:\n  store: {}\n',
  'SELECT @store AS store, n AS number FROM UNNEST([1]) AS n GROUP BY n ORDER BY n',
);
/** It has a parameter of its own that is called like the key of a pin. */
const other = (settings: string) => `/*
id: 00000000-0000-4000-8000-000000000002
name: releases
${settings}parameters:
  version: {}
*/
SELECT @version AS version`;

let workspace: Workspace;
let gateway: RunningGateway;
let printed = '';
const lines: RequestLine[] = [];
let askForReload = () => {};
const print = (text: string) => {
  printed += text;
};

beforeAll(async () => {
  workspace = await Workspace.create();
  for (const name of ['orders.by-day', 'releases', 'views']) await mkdir(workspace.path('endpoints', name));
  await writeFiles();
  await workspace.write('endpoints/views/v1.sql', 'SELECT 1 AS nobodys_version');
  const config = readConfig({ ...workspace.environment, API_KEY: 'a-key' });
  gateway = await launchGateway(config, {
    log: quiet,
    logRequest: (line) => void lines.push(line),
    reload: {
      output: { out: print, err: print },
      watch: false,
      requests: {
        listen(onRequest) {
          askForReload = onRequest;
        },
      },
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  await workspace?.remove();
});
beforeEach(() => {
  lines.length = 0;
});

async function writeFiles(): Promise<void> {
  await workspace.write('endpoints/orders.by-day.sql', newest);
  await workspace.write('endpoints/orders.by-day/v2.sql', second);
  await workspace.write('endpoints/orders.by-day/v1.sql', first);
  await workspace.write('endpoints/releases.sql', other('version: 2\nkeep: 1\n'));
  await workspace.write('endpoints/releases/v1.sql', other('deprecated: 2026-01-31\n'));
}

async function reload(): Promise<string> {
  printed = '';
  askForReload();
  await eventually('it says what became of it', () => /Reloaded endpoints|not reloaded/.test(printed));
  return printed;
}

async function call(target: string, headers: Record<string, string> = {}, key = 'a-key') {
  const response = await fetch(`${gateway.url}${target}`, { headers: { 'X-API-KEY': key, ...headers } });
  const json = (await response.json()) as { result?: unknown; code?: string; error?: string };
  return { status: response.status, headers: response.headers, ...json };
}

async function query(target: string, headers: Record<string, string> = {}, key?: string) {
  return call(`/api/endpoints/query/${target}`, headers, key);
}

async function graphql(text: string): Promise<unknown> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'a-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  return ((await response.json()) as { data: unknown }).data;
}

describe('REST', () => {
  test('answers with the newest version, or with the one that the query string, the header or the path pins', async () => {
    const newestRows = [{ shop: 'a', total: 3 }];
    expect((await query('orders.by-day?shop=a')).result).toEqual(newestRows);
    expect((await query('orders.by-day?shop=a&version=3')).result).toEqual(newestRows);
    const rows = [{ shop: 'a', n: 2 }];
    expect((await query('orders.by-day?shop=a&version=2')).result).toEqual(rows);
    expect((await query('orders.by-day?shop=a', { 'LF-Endpoint-Version': '2' })).result).toEqual(rows);
    expect((await query(`${id}?shop=a`, { 'LF-Endpoint-Version': '2' })).result).toEqual(rows);
    expect((await query('orders.by-day/versions/2?shop=a')).result).toEqual(rows);
    expect((await query('orders.by-day?version=1&store=b')).result).toEqual([{ store: 'b', number: 1 }]);
    expect((await query('orders.by-day?version=2&shop=a&sql=SELECT%20n%20FROM%20own')).result).toEqual([
      { n: 2 },
    ]);
  });

  test('keeps the answers of versions apart, also those of the same request with another header', async () => {
    for (const version of ['3', '2', '3', '2']) {
      const { result } = await query('orders.by-day?shop=cached', { 'LF-Endpoint-Version': version });
      expect(result).toEqual([expect.objectContaining(version === '3' ? { total: 3 } : { n: 2 })]);
    }
  });

  test('warns of old versions, whether the answer is made, cached or an error', async () => {
    for (const shown of ['made', 'cached', 'cached again']) {
      const { headers } = await query('orders.by-day?version=1&store=warned');
      expect(headers.get('Deprecation'), shown).toBe(`@${Date.UTC(2026, 0, 31) / 1000}`);
      expect(headers.get('Sunset'), shown).toBe('Sun, 31 Jan 2027 00:00:00 GMT');
    }
    const failed = await query('orders.by-day?version=2');
    expect([failed.status, failed.headers.get('Deprecation')]).toEqual([400, '@1793491200']);
    const current = await query('orders.by-day?shop=a');
    expect([current.headers.get('Deprecation'), current.headers.get('Sunset')]).toEqual([null, null]);
  });

  test('logs the version, and counts the calls of old ones', async () => {
    const counted = async () => {
      const response = await fetch(`${gateway.url}/metrics`, { headers: { 'X-API-KEY': 'a-key' } });
      const label = 'gateway_deprecated_requests_total{endpoint="orders.by-day",version="1"} ';
      return Number((await response.text()).split(label)[1]?.split('\n')[0] ?? 0);
    };
    const before = await counted();
    await query('orders.by-day?version=1&store=logged');
    await query('orders.by-day?version=1&store=logged');
    await query('orders.by-day?shop=a');
    await eventually('all are logged', () => lines.length >= 4);
    const versions = lines.flatMap(({ endpoint, version, key }) =>
      endpoint ? [[endpoint, version, key]] : [],
    );
    expect(versions).toEqual([
      ['orders.by-day', '1', expect.any(String)],
      ['orders.by-day', '1', expect.any(String)],
      ['orders.by-day', '3', expect.any(String)],
    ]);
    expect(await counted()).toBe(before + 2);
  });

  test.each([
    ['version=4', 404, 'There is no version 4 of the endpoint "orders.by-day", only version 3 or 2 or 1.'],
    ['version=0', 400, 'Parameter "version": expected the number of a version, such as 1, got "0".'],
    ['version=one', 400, 'Parameter "version": expected the number of a version, such as 1, got "one".'],
    ['version=', 400, 'Parameter "version": expected the number of a version, such as 1, got "".'],
    ['version=1e0', 400, 'Parameter "version": expected the number of a version, such as 1, got "1e0".'],
    ['version=99999999999999999999', 400, expect.stringContaining('expected the number')],
    ['version=1&version=2', 400, 'The request pins several versions: "1", "2".'],
  ])('refuses %s', async (pin, status, error) => {
    expect(await query(`orders.by-day?shop=a&${pin}`)).toMatchObject({ status, error });
  });

  test('refuses pins that contradict each other', async () => {
    const header = { 'LF-Endpoint-Version': '1' };
    expect((await query('orders.by-day?shop=a&version=2', header)).status).toBe(400);
    expect((await query('orders.by-day/versions/2?shop=a', header)).status).toBe(400);
    expect((await query('orders.by-day/versions/1?version=1', header)).status).toBe(200);
  });

  test('a parameter `version` of the endpoint stays one: the header pins', async () => {
    expect((await query('releases?version=1')).result).toEqual([{ version: '1' }]);
    const pinned = await query('releases?version=1.2', { 'LF-Endpoint-Version': '1' });
    expect(pinned.result).toEqual([{ version: '1.2' }]);
    expect(pinned.headers.get('Deprecation')).not.toBeNull();
  });

  test('a purge of values is one of every version that has them', async () => {
    const ages = async () => {
      const targets = ['shop=purged', 'shop=purged&version=2', 'store=purged&version=1', 'shop=kept'];
      const answers = await Promise.all(targets.map((target) => query(`orders.by-day?${target}`)));
      return answers.map(({ headers }) => headers.get('Cache-Status')?.includes('hit') === true);
    };
    await ages();
    expect(await ages()).toEqual([true, true, true, true]);
    const response = await fetch(`${gateway.url}/api/endpoints/cache/orders.by-day?shop=purged`, {
      method: 'DELETE',
      headers: { 'X-API-KEY': 'a-key' },
    });
    expect(await response.json()).toEqual({ dropped: 2 });
    expect(await ages()).toEqual([false, false, true, true]);
  });

  test('a cursor belongs to its version', async () => {
    const page = (field: string) => graphql(`{ page: ${field} { edges { cursor } } }`);
    const first = (await page('ordersByDayV1Connection(store: "a")')) as {
      page: { edges: [{ cursor: string }] };
    };
    const [{ cursor }] = first.page.edges;
    const after = `after: ${JSON.stringify(cursor)}`;
    expect(await page(`ordersByDayV1Connection(store: "a", ${after})`)).toEqual({ page: { edges: [] } });
    expect(await page(`ordersByDayV2Connection(shop: "a", ${after})`)).toEqual({ page: null });
  });

  test('a pin is no unknown parameter', async () => {
    const { headers } = await query('orders.by-day?shop=a&version=3&other=1');
    expect(headers.get('X-Ignored-Parameters')).toBe('other');
  });
});

test('GraphQL has deprecated fields of older versions, with all that the newest has', async () => {
  expect(
    await graphql(
      '{ ordersByDay(shop: "a") { total } ordersByDayV1(store: "b") { number } ordersByDayV2Tables(shop: "a") { own { n } } }',
    ),
  ).toEqual({
    ordersByDay: [{ total: '3' }],
    ordersByDayV1: [{ number: '1' }],
    ordersByDayV2Tables: { own: [{ n: '2' }] },
  });
  await eventually('it is logged', () => lines.length > 0);
  expect(lines).toMatchObject([{ endpoint: 'orders.by-day,orders.by-day,orders.by-day', version: '3,1,2' }]);
  const data = (await graphql(
    '{ __schema { queryType { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } } endpoint(name: "orders.by-day") { number older { number field deprecated sunset curl } } }',
  )) as { __schema: { queryType: { fields: { name: string; isDeprecated: boolean }[] } }; endpoint: unknown };
  const fields = new Map(data.__schema.queryType.fields.map((field) => [field.name, field]));
  expect(fields.get('ordersByDay')).toMatchObject({ isDeprecated: false });
  expect(fields.get('ordersByDayV1')).toMatchObject({
    deprecationReason: 'Deprecated since 2026-01-31. Use ordersByDay. Ends on 2027-01-31.',
  });
  const ofOlder = [...fields.values()].filter(({ name }) => name.startsWith('ordersByDayV'));
  expect(ofOlder.map(({ name }) => name).toSorted()).toEqual([
    'ordersByDayV1',
    'ordersByDayV1Connection',
    'ordersByDayV2',
    'ordersByDayV2Connection',
    'ordersByDayV2Query',
    'ordersByDayV2Tables',
  ]);
  expect(ofOlder.filter(({ isDeprecated }) => !isDeprecated)).toEqual([]);
  expect(data.endpoint).toMatchObject({
    number: 3,
    older: [
      { number: 2, field: 'ordersByDayV2', deprecated: '2026-11-01', sunset: null },
      { number: 1, curl: expect.stringContaining('/api/endpoints/query/orders.by-day/versions/1') },
    ],
  });
});

test('discovery lists older versions within the newest, and OpenAPI as deprecated paths', async () => {
  const { endpoints } = (await call('/api/endpoints')) as unknown as { endpoints: { name: string }[] };
  expect(endpoints.filter(({ name }) => name === 'orders.by-day')).toMatchObject([
    {
      number: 3,
      older: [{ number: 2 }, { number: 1, sunset: '2027-01-31', columns: [{ name: 'store' }, {}] }],
    },
  ]);
  expect(await call('/api/endpoints/orders.by-day?version=1')).toMatchObject({
    number: 1,
    deprecated: '2026-01-31',
    graphql: { query: expect.stringContaining('ordersByDayV1') },
  });
  const { paths } = (await call('/api/openapi.json')) as unknown as {
    paths: Record<string, { get: object }>;
  };
  expect(paths['/api/endpoints/query/orders.by-day']?.get).not.toHaveProperty('deprecated');
  expect(paths['/api/endpoints/query/orders.by-day/versions/1']?.get).toMatchObject({
    operationId: 'ordersByDayV1',
    deprecated: true,
  });
});

test('MCP has the newest version only', async () => {
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      'X-API-KEY': 'a-key',
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const text = await response.text();
  expect(text).toContain('"ordersByDay"');
  expect(text).not.toContain('ordersByDayV');
});

test('restricted keys have the same restrictions in every version', async () => {
  const key = async (name: string, restrictions: object): Promise<string> => {
    const response = await fetch(`${gateway.url}/api/keys`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'a-key', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, scopes: ['query'], ...restrictions }),
    });
    return ((await response.json()) as { key: string }).key;
  };
  const elsewhere = await key('elsewhere', { endpoints: ['releases'] });
  for (const target of ['orders.by-day?version=2', 'orders.by-day?version=9', 'orders.by-day/versions/1'])
    expect(await query(target, {}, elsewhere)).toMatchObject({
      status: 403,
      error: 'This key may not call the endpoint "orders.by-day".',
    });
  const pinned = await key('pinned', { pins: { shop: 'a' } });
  expect((await query('orders.by-day?version=2', {}, pinned)).result).toEqual([{ shop: 'a', n: 2 }]);
  expect((await query('orders.by-day?version=2&shop=b', {}, pinned)).status).toBe(403);
  // Nothing would restrict its rows.
  expect((await query('orders.by-day?version=1', {}, pinned)).status).toBe(403);
  const list = (await call('/api/endpoints', {}, pinned)) as unknown as { endpoints: object[] };
  expect(list.endpoints).toMatchObject([{ name: 'orders.by-day', older: [{ number: 2 }] }]);
});

describe('a reload', () => {
  test('swaps all versions at once, and an old one that is gone gets 410', async () => {
    expect((await query('orders.by-day?version=1&store=b')).status).toBe(200);
    await workspace.write('endpoints/orders.by-day.sql', newest.replace('keep: 2', 'keep: 1'));
    expect(await reload()).toBe('Reloaded endpoints: changed orders.by-day.\n');
    expect(await query('orders.by-day?version=1&store=b')).toMatchObject({
      status: 410,
      code: 'VERSION_GONE',
      error: 'Version 1 of the endpoint "orders.by-day" is gone. Call version 3 or 2.',
    });
    await eventually('it is logged', () => lines.some(({ error }) => error === 'VERSION_GONE'));
    expect(lines.at(-1)).toMatchObject({ endpoint: 'orders.by-day', status: 410 });
    expect((await query('orders.by-day?version=2&shop=a')).status).toBe(200);
    await writeFiles();
    await reload();
  });

  test('reads a change of an older version alone', async () => {
    await workspace.write('endpoints/orders.by-day/v2.sql', second.replace('2 AS n', '22 AS n'));
    expect(await reload()).toBe('Reloaded endpoints: changed orders.by-day.\n');
    expect((await query('orders.by-day?version=2&shop=a')).result).toEqual([{ shop: 'a', n: 22 }]);
    await writeFiles();
    await reload();
  });

  test('changes no version of an endpoint if one of them has errors, and tells their place', async () => {
    await workspace.write('endpoints/orders.by-day.sql', newest.replace('3 AS total', '33 AS total'));
    await workspace.write('endpoints/orders.by-day/v2.sql', second.replace('2 AS n', 'wrong AS n'));
    expect(await reload()).toMatch(/orders\.by-day\/v2\.sql:11:36: .*wrong/);
    expect((await query('orders.by-day?shop=a')).result).toEqual([{ shop: 'a', total: 3 }]);
    expect((await query('orders.by-day?version=2&shop=a')).result).toEqual([{ shop: 'a', n: 2 }]);
    await writeFiles();
    expect(await reload()).toBe('Reloaded endpoints: nothing has changed.\n');
  });
});

test('a start without what an older version reads serves the others', async () => {
  await workspace.write('endpoints/orders.by-day/v2.sql', second.replace('2 AS n', 'wrong AS n'));
  const config = readConfig({ ...workspace.environment, DATA_DIR: workspace.path('other') });
  await using stack = new AsyncDisposableStack();
  const started = await launchGateway(config, { log: quiet });
  stack.defer(() => started.close());
  const at = async (target: string) => {
    const headers = { 'X-API-KEY': 'a-key' };
    const response = await fetch(`${started.url}/api/endpoints/query/${target}`, { headers });
    return { status: response.status, ...((await response.json()) as object) };
  };
  expect((await at('orders.by-day?shop=a')).status).toBe(200);
  expect((await at('orders.by-day?version=1')).status).toBe(200);
  expect(await at('orders.by-day?version=2&shop=a')).toMatchObject({
    status: 503,
    error: 'Version 2 of the endpoint "orders.by-day" can\'t be served: its file has errors.',
  });
  await rm(workspace.path('other'), { recursive: true });
  await writeFile(workspace.path('endpoints/orders.by-day/v2.sql'), second);
});
