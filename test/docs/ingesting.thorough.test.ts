import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { Gateway, type Row } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

const text = await readFile('docs/ingesting.md', 'utf8');
const syslog = '/usr/sbin/syslog-ng';
const isWithoutSyslog = !existsSync(syslog) && process.env.CI !== 'true';

let workspace: Workspace;
let gateway: Gateway;
let key: string;

/** The blocks of one language under a heading. */
function blocks(heading: string, language: string): string[] {
  const [, section = ''] = new RegExp(`^#+ ${heading}\n(.*?)(?=^#+ |$(?![^]))`, 'ms').exec(text) ?? [];
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  );
}

/** The code of a recipe, for the gateway of the test. */
function recipe(heading: string, language: string): string {
  const [code] = blocks(heading, language);
  if (code === undefined) throw new Error(`there is no ${language} in ${heading}`);
  return code.replaceAll('http://127.0.0.1:4000', gateway.url);
}

/** Runs a program to its end. */
async function run(code: string): Promise<void> {
  const file = await workspace.write('recipe.ts', code);
  const env = { ...process.env, KEY: key };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', file], {
    ...{ cwd: workspace.root, env, encoding: 'utf8' },
  });
  expect(status, stdout + stderr).toBe(0);
}

/** The rows of the example's source with these messages, in the order of their times. */
async function rowsWith(...messages: string[]): Promise<Row[]> {
  const listed = messages.map((message) => JSON.stringify(message)).join(', ');
  const reply = await gateway.query('all', {
    sql: `SELECT * FROM events WHERE event_message IN (${listed}) ORDER BY timestamp`,
  });
  if (reply.status !== 200) throw new Error(reply.body);
  return JSON.parse(reply.body).result;
}

const post = (
  target: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
) => fetch(`${gateway.url}${target}`, { method: 'POST', headers: { 'X-API-KEY': key, ...headers }, body });

const endpoint = (name: string, source: string) => `/*
id: 00000000-0000-4000-8000-${Buffer.from(name.padEnd(6)).toString('hex')}
name: ${name}
sandbox: true
cacheSeconds: 0
*/
WITH events AS (SELECT * FROM logs.${source}) SELECT * FROM events`;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const [app = ''] = blocks('Ingesting', 'json');
  const [cloudflare = ''] = blocks('Cloudflare Logpush', 'json');
  await workspace.write('sources/app_logs.json', app);
  await workspace.write('sources/cloudflare_requests.json', cloudflare);
  await workspace.write('endpoints/all.sql', endpoint('all', 'app_logs'));
  await workspace.write('endpoints/cf.sql', endpoint('cf', 'cloudflare_requests'));
  await symlink(resolve('node_modules'), workspace.path('node_modules'));
  await workspace.write('package.json', '{"type":"module"}');
  const create = /keys create (--name collector --scopes write)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const [started, created] = await Promise.all([
    Gateway.serve(workspace),
    workspace.run(['keys', 'create', ...create]),
  ]);
  gateway = started;
  key = created.stdout.trim();
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

describe('recipes', () => {
  test('curl', () => {
    const env = { ...process.env, KEY: key };
    const { stdout, stderr } = spawnSync('bash', ['-c', recipe('curl', 'sh')], { env, encoding: 'utf8' });
    expect(`${stdout}\n${stderr}`).toBe(recipe('curl', 'json'));
  });

  test('fetch', async () => {
    await run(recipe('fetch', 'ts'));
    expect(await rowsWith('signed in', 'signed out')).toHaveLength(2);
  });

  test('pino', async () => {
    await run(recipe('pino', 'ts'));
    const rows = () => rowsWith('order placed', 'order failed');
    expect(await rows()).toHaveLength(2);
    const context = [{ pid: expect.any(Number), host: expect.any(String) }];
    // Queries have the new fields after the reload that follows.
    await expect
      .poll(rows, { timeout: 20_000 })
      .toMatchObject([
        { metadata: [{ level: 'info', context, order: [{ number: 12, total: 9.5 }] }] },
        { metadata: [{ level: 'error', err: [{ message: 'no stock' }] }] },
      ]);
  });

  test('OpenTelemetry with protobuf', async () => {
    await run(recipe('OpenTelemetry with protobuf', 'ts'));
    await expect
      .poll(() => rowsWith('order received'), { timeout: 20_000 })
      .toMatchObject([
        {
          metadata: [
            {
              ...{ severity: 'INFO', severity_number: 9, attributes: [{ order_number: 12 }] },
              ...{ resource: [{ service_name: 'shop' }], scope: [{ name: 'orders', version: '1.0.0' }] },
            },
          ],
        },
      ]);
  });

  test('OpenTelemetry with JSON', async () => {
    await run(recipe('OpenTelemetry with JSON', 'ts'));
    expect(await rowsWith('{"reason":"no stock","order":12}')).toHaveLength(1);
  });

  test("Vector: the body of its http sink's array of events", async () => {
    const { uri, compression, encoding, request } = parse(recipe('Vector', 'yaml')).sinks.gateway;
    expect([compression, encoding.codec, Object.keys(request.headers)]).toEqual([
      'gzip',
      'json',
      ['X-API-KEY'],
    ]);
    const event = {
      ...{ file: '/var/log/shop.log', host: 'h1', source_type: 'file', message: 'from vector' },
      timestamp: '2026-11-20T09:38:00.123456789Z',
    };
    const { pathname, search } = new URL(uri);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const response = await post(pathname + search, gzipSync(JSON.stringify([event])), headers);
    expect([response.status, await rowsWith('from vector')]).toMatchObject([
      200,
      [{ event_message: 'from vector', timestamp: 1_795_167_480_123_456 }],
    ]);
  });

  test('Cloudflare Logpush: gzip without a header that says so, and the file that checks the destination', async () => {
    const [url = ''] = blocks('Cloudflare Logpush', '');
    const { pathname, searchParams } = new URL(url.trim());
    searchParams.delete('header_X-API-KEY');
    const target = `${pathname}?${searchParams}`;
    expect((await post(target, gzipSync('{"content":"tests"}'))).status).toBe(200);
    const request = (ray: number, at: unknown) =>
      JSON.stringify({
        ...{
          ClientIP: '203.0.113.7',
          ClientRequestMethod: 'GET',
          ClientRequestURI: `/${ray}`,
          RayID: `8d2f${ray}`,
        },
        ...{ EdgeResponseStatus: 200, EdgeStartTimestamp: at },
      });
    const lines = [
      request(1, '2026-11-20T09:38:00Z'),
      request(2, 1_795_167_481),
      request(3, 1_795_167_482_000_000_000n.toString()),
    ];
    const body = gzipSync(lines.map((line) => `${line}\n`).join(''));
    for (let time = 0; time < 2; time++) expect((await post(target, body)).status).toBe(200);
    const sql = "SELECT id, timestamp, event_message FROM events WHERE id LIKE '8d2f%' ORDER BY timestamp";
    const reply = await gateway.query('cf', { sql });
    expect(JSON.parse(reply.body).result).toEqual(
      [1, 2, 3].map((ray) => ({
        ...{ id: `8d2f${ray}`, event_message: `/${ray}` },
        timestamp: 1_795_167_479_000_000 + ray * 1_000_000,
      })),
    );
  });

  test.skipIf(isWithoutSyslog)('syslog-ng', async () => {
    const file = await workspace.write('app.log', 'from syslog-ng\n');
    const code = recipe('syslog-ng', '').replace('/var/log/app.log', file);
    const config = await workspace.write('syslog-ng.conf', code);
    const state = ['persist-file', 'pidfile', 'control'].map((name) => `--${name}=${workspace.path(name)}`);
    const daemon = spawn(syslog, ['--foreground', '--no-caps', `--cfgfile=${config}`, ...state], {
      env: { ...process.env, KEY: key },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(daemon, 'exit');
    onTestFinished(async () => {
      daemon.kill();
      await ended;
    });
    await expect.poll(() => rowsWith('from syslog-ng'), { timeout: 20_000 }).toHaveLength(1);
    await appendFile(file, 'another "line"\nand one more\nand one more\n');
    await expect.poll(() => rowsWith('another "line"', 'and one more'), { timeout: 20_000 }).toHaveLength(3);
  });
});

describe('ids', () => {
  const send = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ) => expect((await post('/api/logs?source=app_logs', body, headers)).status).toBe(200);

  test('the same body adds nothing when it is sent again, also compressed; other bodies and requests do', async () => {
    const body = '{"message":"beat"}';
    await send(body);
    await send(body);
    await send(gzipSync(body), { 'Content-Encoding': 'gzip' });
    expect(await rowsWith('beat')).toHaveLength(1);
    await send('[{"message":"beat"},{"message":"beat"}]');
    expect(await rowsWith('beat')).toHaveLength(3);
    for (const request of ['a', 'b', 'a']) await send(body, { 'Idempotency-Key': request });
    expect(await rowsWith('beat')).toHaveLength(5);
  });

  test('a heartbeat is sent as shown', async () => {
    const env = { ...process.env, KEY: key };
    for (let i = 0; i < 2; i++) {
      const { status } = spawnSync('bash', ['-c', `${recipe('Ids', 'sh')}\nsleep 1.1`], { env });
      expect(status).toBe(0);
    }
    expect(await rowsWith('alive')).toHaveLength(2);
  });
});

describe('rejected events', () => {
  const ask = () => {
    const env = { ...process.env, KEY: key };
    return spawnSync('bash', ['-c', recipe('Rejected events', 'sh')], { env, encoding: 'utf8' }).stdout;
  };

  test('are answered as shown, and kept', async () => {
    expect(ask()).toBe(recipe('Rejected events', 'json').replaceAll('\n', ''));
    const kept = async () =>
      await readFile(workspace.path('data', 'rejected.ndjson'), 'utf8').catch(() => '');
    await expect.poll(kept).toMatch(/"edge_logs".*\n/);
    const line = (await kept()).split('\n').find((one) => one.includes('"edge_logs"'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      time: expect.stringMatching(/Z$/),
      source: 'edge_logs',
      reason: 'metadata.response.status_code: expected INT64, got "many"',
      event: expect.stringContaining('"many"'),
    });
  });

  test('leave the others with partial=true', async () => {
    const body =
      '{"message": "kept", "order": {"number": 1}}\n{"message": "lost", "order": {"number": "one"}}';
    expect((await post('/api/logs?source=app_logs', '{"message":"first","order":{"number":7}}')).status).toBe(
      200,
    );
    expect((await post('/api/logs?source=app_logs', body)).status).toBe(400);
    const response = await post('/api/logs?source=app_logs&partial=true', body);
    expect(await response.json()).toMatchObject({
      message: 'Logged!',
      rejectedCount: 1,
      rejected: [{ unit: 'line', index: 2 }],
    });
    expect(await rowsWith('kept', 'lost')).toMatchObject([{ event_message: 'kept' }]);
  });
});
