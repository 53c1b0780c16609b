import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.create();
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'item', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'sku', type: 'STRING' }] },
  ];
  await workspace.write('sources/orders.json', JSON.stringify(fields));
  await workspace.write('sources/order.json', JSON.stringify(fields.slice(0, 2)));
  await workspace.write('sources/day.json', JSON.stringify({ wildcard: 'DAY', fields }));
  const comment = '/*\nid: 00000000-0000-4000-8000-000000000001\nname: one\n*/\n';
  await workspace.write('endpoints/one.sql', `${comment}SELECT COUNT(*) AS n FROM logs.orders`);
  const file = await workspace.writeRows('rows.ndjson', [
    { id: 'a', timestamp: '2026-01-01T00:00:00Z', item: [{ sku: 'x' }, { sku: 'y' }] },
    { id: 'b', timestamp: '2026-01-02T00:00:00Z', item: [] },
  ]);
  expect(await workspace.run(['import', 'orders', file])).toMatchObject({ code: 0 });
});
afterAll(() => workspace?.remove());

const sql = (...args: string[]) => workspace.run(['sql', ...args, '--quiet']);

describe('offline', () => {
  test('all sources are tables, as in endpoints', async () => {
    const query = 'SELECT o.id, i.sku FROM logs.orders AS o, o.item AS i ORDER BY sku';
    expect(await sql(query, '--format', 'csv')).toMatchObject({
      code: 0,
      stdout: 'id,sku\r\na,x\r\na,y\r\n',
    });
    expect((await sql('--format', 'ndjson')).stdout).toBe(
      '{"name":"day"}\n{"name":"order"}\n{"name":"orders"}\n',
    );
  });

  test('an entry of WITH never stands in for a source', async () => {
    const query = `WITH orders AS (SELECT * FROM logs.orders LIMIT 1)
      SELECT (SELECT COUNT(*) FROM orders), (SELECT COUNT(*) FROM logs.orders), (SELECT COUNT(*) FROM logs.order)`;
    expect((await sql(query, '--format', 'csv')).stdout.split('\r\n')[1]).toBe('1,2,0');
  });

  test('a mistake is named at its place in the query as it was written', async () => {
    const { code, stderr } = await sql('SELECT id,\n  nothing\nFROM logs.orders');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Unrecognized name: nothing [at 2:3]')]);
  });

  test('an error in the file of another source keeps nobody from it', async () => {
    await workspace.write('sources/bad.json', '{');
    const { code, stdout, stderr } = await sql('SELECT COUNT(*) AS n FROM logs.orders', '--format', 'csv');
    expect([code, stdout]).toEqual([0, 'n\r\n2\r\n']);
    expect(stderr).toContain('1 error in files of sources');
    expect(await workspace.run(['export', 'orders'])).toMatchObject({ code: 0 });
    const missing = await workspace.run(['export', 'bad']);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('bad.json:1:2: not JSON')]);
    await rm(workspace.path('sources/bad.json'));
  });

  test('bytes are written as a file', async () => {
    const { stdout } = await sql('SELECT id FROM logs.orders', '--format', 'parquet');
    expect(stdout.startsWith('PAR1')).toBe(true);
  });
});

describe('on a gateway', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await Gateway.serve(workspace);
  });
  afterAll(() => gateway?.stop());

  const ask = async (text: string, key?: string) => {
    const options = {
      method: 'POST',
      body: JSON.stringify({ sql: text }),
      headers: { 'Content-Type': 'application/json' },
    };
    const { status, body } = await gateway.call(
      '/api/sql',
      key === undefined ? options : { ...options, key },
    );
    return { status, ...JSON.parse(body) };
  };

  test('the same query is answered by REST and by the command', async () => {
    expect(await ask('SELECT id FROM logs.orders ORDER BY id')).toEqual({
      status: 200,
      result: [{ id: 'a' }, { id: 'b' }],
    });
    expect((await sql('SELECT COUNT(*) AS n FROM logs.orders', '--format', 'csv')).stdout).toBe('n\r\n2\r\n');
  });

  test.each([
    ['`logs`.`orders`', 200],
    ['LOGS.Orders', 200],
    ['orders', 200],
    ['`logs.orders`', 200],
    ['logs.`day_*`', 200],
    ['logs.day', 400],
    ['(SELECT * FROM logs.orders)', 200],
    ['logs.orders.item', 200],
    ['logs.other', 400],
    ['INFORMATION_SCHEMA.TABLES', 400],
  ])('reads %s: %i', async (table, status) => {
    expect((await ask(`SELECT COUNT(*) AS n FROM ${table}`)).status).toBe(status);
  });

  test('a body that is no JSON, as curl sends it by default, is no question', async () => {
    const body = JSON.stringify({ sql: 'SELECT 1 AS n' });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await gateway.call('/api/sql', { method: 'POST', body, headers });
    expect(answer.status).toBe(400);
  });

  test('only keys with the scope and without restrictions may use it, or see that it is there', async () => {
    const keyOf = (name: string, options: object) => gateway.createKey({ name, ...options });
    const names = async (key: string) => {
      const { body } = await gateway.call('/api/endpoints', { key });
      return JSON.parse(body).endpoints.map(({ name }: { name: string }) => name);
    };
    const tables = await keyOf('analyst', { scopes: ['query', 'tables'] });
    const admin = await keyOf('admin', { scopes: ['query', 'admin'] });
    const plain = await keyOf('app', { scopes: ['query'] });
    const bound = await keyOf('tenant', { scopes: ['query', 'admin'], projects: ['p'] });
    const query = 'SELECT 1 AS n FROM logs.orders LIMIT 1';
    for (const key of [tables, admin]) {
      expect((await ask(query, key)).status).toBe(200);
      expect(await names(key)).toEqual(['one', 'gateway.tables']);
    }
    for (const key of [plain, bound]) {
      expect(await ask(query, key)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      expect((await gateway.query('gateway.tables', {}, { key })).status).toBe(403);
      expect(await names(key)).not.toContain('gateway.tables');
    }
    const refused = { name: 'x', scopes: ['query', 'tables'], endpoints: ['gateway.tables'] };
    await expect(gateway.createKey(refused)).rejects.toThrow(
      /^400 .*tables is for keys without restrictions/,
    );
  });

  test('GraphQL does not have it', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ query: '{ endpoints { name } gatewayTables { name } }' });
    const reply = await gateway.call('/graphql', { method: 'POST', headers, body });
    expect(reply.body).toContain('Cannot query field \\"gatewayTables\\"');
  });
});
