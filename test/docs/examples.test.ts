import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeRow } from '../acceptance/support/edge-rows.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { blocksOf, tableRows } from './markdown.ts';

/** The shipped endpoints and those of the documents, over a few rows. */
let workspace: Workspace;
let gateway: Gateway;

const project = 'fjrqomtzlwkgbxhvnuea';

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const json = await blocksOf('docs/endpoints.md', 'json');
  const blockWith = (text: string) => json.find((block) => block.includes(text)) ?? '';
  await workspace.write('sources/orders.json', blockWith('"shop"'));
  await workspace.write('sources/events.json', blockWith('"wildcard"'));
  await workspace.write('endpoints/functions.json', blockWith('"SEARCH"'));
  for (const sql of await blocksOf('docs/endpoints.md', 'sql')) {
    const unnamed = sql.includes('@least') ? 'views/large_orders' : 'wildcard';
    const name = /^name: (.*)$/m.exec(sql)?.[1] ?? unnamed;
    const settings = '/*\nid: 5e0f1a52-8c1d-4a55-b3f7-0c9c1f3c6d99\nname: wildcard\n*/\n';
    await workspace.write(`endpoints/${name}.sql`, sql.startsWith('/*') ? sql : `${settings}${sql}`);
  }
  const rows = await workspace.writeRows('edge.ndjson', [
    edgeRow(new Date(Date.now() - 3_600_000), project, '/rest/v1/todos'),
  ]);
  expect(await workspace.run(['import', 'edge_logs', rows])).toMatchObject({ code: 0 });
  const order = {
    id: 'a',
    timestamp: '2025-01-31T10:00:00Z',
    shop: 'north',
    total: '19.90',
    items: [{ sku: 'x', count: 2 }],
  };
  const orderRows = await workspace.writeRows('orders.ndjson', [order]);
  expect(await workspace.run(['import', 'orders', orderRows])).toMatchObject({ code: 0 });
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

async function graphql(query: string, variables: object = {}) {
  const reply = await gateway.call('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(reply.body);
}

describe('docs/endpoints.md', () => {
  test('its endpoint answers as it says', async () => {
    expect(await gateway.rows('orders.by-day', { shop: 'north' })).toEqual([
      { day: '2025-01-31', order_count: 1, total: '19.9' },
    ]);
    const { data, errors } = await graphql(
      '{ ordersByDay(shop: "north", currency: US_DOLLAR) { day orderCount total } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ ordersByDay: [{ day: '2025-01-31', orderCount: '1', total: '21.89' }] });
    expect(await gateway.rows('orders.sizes', {})).toEqual([{ size: 'small', orders: 1 }]);
    expect(await gateway.rows('wildcard', {})).toEqual([]);
    expect(await gateway.rows('orders.averages', { shop: 'north' })).toEqual([
      { day: '2025-01-31', average: '19.9' },
    ]);
    expect(await gateway.rows('orders.large', {})).toEqual([{ shop: 'north', orders: 1 }]);
  });

  test('its tables can be read', async () => {
    const { data, errors } = await graphql(
      '{ ordersRecentTables(shop: "north") { orders { id items { sku } } items { sku count } } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      ordersRecentTables: { orders: [{ id: 'a', items: [{ sku: 'x' }] }], items: [{ sku: 'x', count: '2' }] },
    });
  });
});

describe('docs/graphql.md', () => {
  test('its operations run', async () => {
    const operations = await blocksOf('docs/graphql.md', 'graphql');
    expect(operations.length).toBeGreaterThan(2);
    for (const operation of operations) {
      const { data, errors } = await graphql(operation, { project });
      expect(errors).toBeUndefined();
      for (const value of Object.values(data)) expect(value).not.toBeNull();
    }
  });

  test('its request with curl is answered', async () => {
    const [command = ''] = await blocksOf('docs/graphql.md', 'sh');
    const [, body = ''] = /--data '(.*)'/.exec(command) ?? [];
    const files = await readdir(workspace.path('endpoints'));
    const { endpoints } = (await graphql(JSON.parse(body).query)).data;
    expect(endpoints).toHaveLength(files.filter((name) => name.endsWith('.sql')).length);
  });

  test('its report of calls has the keys of a real one', async () => {
    const [text = ''] = await blocksOf('docs/graphql.md', 'json');
    const { gateway: documented } = JSON.parse(text);
    const [first = ''] = await blocksOf('docs/graphql.md', 'graphql');
    const { extensions } = await graphql(first);
    expect(Object.keys(extensions.gateway)).toEqual(Object.keys(documented));
    expect(Object.keys(extensions.gateway.calls[0])).toEqual(Object.keys(documented.calls[0]));
    const keys = (await tableRows('docs/graphql.md', 'Key')).map(([key]) => key);
    const call = Object.keys(documented.calls[0]).filter((key) => key !== 'cache');
    const cache = Object.keys(extensions.gateway.calls[0].cache).map((key) => `cache.${key}`);
    expect(Object.keys(documented.calls[0].cache).map((key) => `cache.${key}`)).toEqual(cache);
    const calls = [...call, ...cache].map((key) => `\`calls[].${key}\``);
    expect(keys).toEqual(['`requestId`', ...calls]);
  });
});
