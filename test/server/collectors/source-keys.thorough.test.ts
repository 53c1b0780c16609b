import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';
import { putKey } from '../../../src/app/gateway/stored-keys.ts';
import { newKey } from '../../../src/calls/access/key/new-key.ts';
import { fakeLog } from '../listener/running-gateway.ts';

const fields = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'event_message', type: 'STRING' },
];
const json = { 'Content-Type': 'application/json' };
const row = '{"id":"1","timestamp":"2026-11-01T00:00:00Z","event_message":"a"}\n';

/** A gateway with the sources `app` and `other`, and a key that writes to `app` only. */
async function start() {
  const folder = await mkdtemp(path.join(tmpdir(), 'source-keys-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = (name: string, content: object) =>
    writeFile(path.join(folder, `${name}.json`), JSON.stringify(content));
  await file('app', { fields, aliases: ['app.logs'], unknownFields: 'ignore' });
  await file('other', { fields, aliases: ['other.logs'], unknownFields: 'ignore' });
  const folders = { DATA_DIR: path.join(folder, 'data'), ENDPOINTS_DIR: folder, SOURCES_DIR: folder };
  const config = readConfig({ PORT: '0', API_KEY: 'key', OTLP_SOURCE: 'other', ...folders });
  const reload = { output: { out() {}, err() {} }, watch: false, requests: { listen() {} } };
  const gateway = await launchGateway(config, { log: fakeLog(), reload });
  onTestFinished(() => gateway.close());
  const made = newKey({ name: 'app', scopes: ['write', 'admin'], sources: ['app'] }, Date.now());
  await putKey(config, made.addTo);
  return async (target: string, init: RequestInit = {}, key = made.text) => {
    const headers = { 'X-API-KEY': key, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${gateway.url}${target}`, { method: 'POST', ...init, headers });
    return { status: response.status, body: await response.json() };
  };
}

const resource = (source: string | undefined, text: string) => ({
  resource: {
    attributes: source === undefined ? [] : [{ key: 'source', value: { stringValue: source } }],
  },
  scopeLogs: [{ logRecords: [{ timeUnixNano: `${Date.now()}000000`, body: { stringValue: text } }] }],
});
const otlp = (...resources: object[]): RequestInit => ({
  headers: json,
  body: JSON.stringify({ resourceLogs: resources }),
});

test('a key that is restricted to a source writes to it, and to no other one, whatever way it takes', async () => {
  const send = await start();
  for (const name of ['app', 'app.logs']) {
    expect(await send(`/api/sources/${name}/rows`, { body: row })).toMatchObject({ status: 200 });
    expect(await send(`/api/logs?source=${name}`, { body: '{"message":"a"}' })).toMatchObject({
      status: 200,
    });
    expect(await send('/v1/logs', otlp(resource(name, 'a')))).toEqual({ status: 200, body: {} });
  }
  for (const name of ['other', 'other.logs', 'missing']) {
    const message = `This key may not write to the source "${name}".`;
    const refused = { status: 403, body: { error: message, code: 'FORBIDDEN' } };
    for (const query of ['', '?replace=true'])
      expect(await send(`/api/sources/${name}/rows${query}`, { body: row })).toEqual(refused);
    expect(await send(`/api/logs?source=${name}`, { body: '{"message":"a"}' })).toEqual(refused);
    expect(await send('/api/logs', { body: '{"message":"a"}', headers: { 'X-Source': name } })).toEqual(
      refused,
    );
    expect(await send('/api/logs', { body: JSON.stringify({ source: name, message: 'a' }) })).toEqual(
      refused,
    );
    expect(await send(`/v1/logs?source=${name}`, otlp(resource(undefined, 'a')))).toMatchObject({
      status: 403,
      body: { code: 7, message },
    });
    const deletion = `/api/sources/${name}/rows?before=2026-12-31`;
    expect(await send(deletion, { method: 'DELETE' })).toEqual(refused);
  }
  const left = '/api/sources/other/rows?before=2100-01-01&dry_run=true';
  expect(await send(left, { method: 'DELETE' }, 'key')).toEqual({ status: 200, body: { rows: 0 } });
  const own = '/api/sources/app/rows?before=2026-11-02';
  expect(await send(own, { method: 'DELETE' })).toEqual({ status: 200, body: { rows: 1 } });
});

test('of a body for several sources, the records for another one are refused one by one', async () => {
  const send = await start();
  const mixed = otlp(
    resource('app', 'a'),
    resource('other', 'b'),
    resource('missing', 'c'),
    resource(undefined, 'd'),
  );
  const { status, body } = await send('/v1/logs', mixed);
  expect({ status, count: body.partialSuccess.rejectedLogRecords }).toEqual({ status: 200, count: '3' });
  for (const name of ['other', 'missing'])
    expect(body.partialSuccess.errorMessage).toContain(`this key may not write to the source "${name}"`);
  const rows = (source: string) =>
    send(`/api/sources/${source}/rows?before=2100-01-01&dry_run=true`, { method: 'DELETE' }, 'key');
  expect([(await rows('app')).body, (await rows('other')).body]).toEqual([{ rows: 1 }, { rows: 0 }]);
});

test('it does nothing else that operators do', async () => {
  const send = await start();
  for (const [target, init] of [
    ['/api/keys', { method: 'GET' }],
    ['/api/operations', { method: 'GET' }],
    ['/api/sources/app/export', { method: 'GET' }],
    ['/api/endpoints/cache', { method: 'DELETE' }],
    ['/api/sources/apply', {}],
  ] as const)
    expect(await send(target, init)).toMatchObject({ status: 403 });
});
