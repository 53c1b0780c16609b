import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { endpointWriter } from '../../../src/app/gateway/write-endpoint.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { runGateway } from '../listener/running-gateway.ts';

async function gatewayOver(folder: string | undefined, caller: Partial<Caller> = {}) {
  const holder = { name: 'owner', secret: 'key', redact: false, scopes: everyScope, ...caller };
  const gateway = await runGateway({
    access: keyAccess([holder]),
    writeEndpoint:
      folder === undefined
        ? undefined
        : endpointWriter(folder, () => [{ name: 'served', file: 'other.sql' }]),
  });
  const put = (name: string, body: string) =>
    gateway.call(`/api/endpoints/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body,
      headers: [['Content-Type', 'application/json']],
    });
  return { ...gateway, put };
}

const body = JSON.stringify({ text: 'SELECT 1 AS one\n' });

test('the file of a new endpoint is written, and never one that is there', async () => {
  const folder = path.join(await temporaryFolder(), 'endpoints');
  const { put } = await gatewayOver(folder);
  const file = path.join(folder, 'my.orders-1.sql');
  expect(await put('my.orders-1', body)).toMatchObject({ status: 201, body: JSON.stringify({ file }) });
  expect(await readFile(file, 'utf8')).toBe('SELECT 1 AS one\n');
  await writeFile(file, 'changed');
  const again = await put('my.orders-1', body);
  expect(again.status).toBe(400);
  expect(JSON.parse(again.body).error).toBe(`There is a file ${file} already. Choose another name.`);
  expect(await readFile(file, 'utf8')).toBe('changed');
});

test('a file is replaced, with its tests, by who has read it as it is', async () => {
  const folder = await temporaryFolder();
  const { put } = await gatewayOver(folder);
  const file = path.join(folder, 'orders.sql');
  await writeFile(file, 'SELECT 1');
  const test = { text: 'cases: []' };
  const stale = await put('orders', JSON.stringify({ text: 'SELECT 3', before: 'SELECT 2', test }));
  expect([stale.status, JSON.parse(stale.body).error]).toEqual([
    400,
    expect.stringContaining('has changed since'),
  ]);
  expect(await readdir(folder)).toEqual(['orders.sql']);
  const written = await put('orders', JSON.stringify({ text: 'SELECT 3', before: 'SELECT 1', test }));
  expect([written.status, written.body]).toEqual([200, JSON.stringify({ file })]);
  expect(await readFile(file, 'utf8')).toBe('SELECT 3');
  expect(await readFile(path.join(folder, 'orders.test.yaml'), 'utf8')).toBe('cases: []');
  // The tests are there now: who hasn't read them replaces nothing.
  const again = await put('orders', JSON.stringify({ text: 'SELECT 4', before: 'SELECT 3', test }));
  expect(again.status).toBe(400);
  expect(await readFile(file, 'utf8')).toBe('SELECT 3');
});

test('a file of an endpoint that is none of the project is not replaced', async () => {
  const folder = await temporaryFolder();
  const { put } = await gatewayOver(path.join(folder, 'endpoints'));
  const answer = await put('served', JSON.stringify({ text: 'SELECT 3', before: 'SELECT 1' }));
  expect([answer.status, JSON.parse(answer.body).error]).toEqual([
    400,
    'The endpoint served is none of the project.',
  ]);
});

test('the name of an endpoint that is served is refused, and a folder that is none', async () => {
  const folder = await temporaryFolder();
  const { put } = await gatewayOver(folder);
  const taken = await put('Served', body);
  expect([taken.status, JSON.parse(taken.body).error]).toEqual([
    400,
    'The endpoint served in other.sql has this name. Choose another one.',
  ]);
  await writeFile(path.join(folder, 'file'), '');
  const { put: putBelow } = await gatewayOver(path.join(folder, 'file', 'endpoints'));
  const failed = await putBelow('a', body);
  expect([failed.status, failed.body]).toEqual([400, expect.stringContaining('(not a directory)')]);
});

test.each(['../up', '..', 'a/b', 'a b', '.hidden', 'ä', 'x'.repeat(101), 'nul\0'])(
  'a name that no file of an endpoint has is refused: %j',
  async (name) => {
    const folder = await temporaryFolder();
    const { put } = await gatewayOver(path.join(folder, 'endpoints'));
    expect((await put(name, body)).status).toBe(400);
    expect(await readdir(folder)).toEqual([]);
  },
);

test.each(['', 'null', '{}', '{"text": 1}', '{"text": "a", "more": 1}'])(
  'a body without a text is refused: %s',
  async (given) => {
    const folder = await temporaryFolder();
    const { put } = await gatewayOver(folder);
    expect((await put('a', given)).status).toBe(400);
    expect(await readdir(folder)).toEqual([]);
  },
);

test.each<[string, Partial<Caller>]>([
  ['without the scope admin', { scopes: new Set(['query', 'write', 'tables']) }],
  ['for some projects', { projects: new Set(['a']) }],
])('a key %s writes none, and is told so', async (_, caller) => {
  const folder = await temporaryFolder();
  const { put, call } = await gatewayOver(folder, caller);
  expect((await put('a', body)).status).toBe(403);
  expect(JSON.parse((await call('/api/caller')).body).writesEndpoints).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

test('a gateway other than that of dev writes none', async () => {
  const { put, call } = await gatewayOver(undefined);
  expect((await put('a', body)).status).toBe(405);
  expect(JSON.parse((await call('/api/caller')).body).writesEndpoints).toBe(false);
});
