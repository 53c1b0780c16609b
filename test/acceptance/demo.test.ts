import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginDemo } from './support/begun-demo.ts';
import type { Command } from './support/command.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let demo: Command;
let gateway: Gateway;

/** A shell must not stumble over it. */
const key = "it's-a-key";

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await beginDemo(workspace);
  const settings = { API_KEY: key, SHUTDOWN_TIMEOUT_MS: '600000', RECORD_CALLS: 'true' };
  demo = workspace.npm(['run', 'demo', '--silent'], settings);
  gateway = await Gateway.of(demo, key);
  await demo.output(/Ctrl-C to stop/);
});
afterAll(async () => {
  await demo?.stop();
  await workspace?.remove();
});

test('it says where it is, and with which key', () => {
  expect(demo.stdout).toContain(`Ready at ${gateway.url}, with the key ${key}`);
});

test('the address is that of the console, without a key that the user has set', async () => {
  expect(demo.stdout).toContain(`Open the console in a browser to look around: ${gateway.url}\n`);
  const page = await fetch(gateway.url, { headers: { Accept: 'text/html' } });
  // Without its build, it says so.
  expect([200, 503]).toContain(page.status);
  expect(await page.text()).not.toContain('key-in-address');
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
test.skipIf(!hasCurl)('the commands that it prints work when they are pasted into a shell', async () => {
  const commands = demo.stdout.split('\n').filter((line) => line.startsWith('  curl '));
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -sS')]);
    expect(JSON.parse(stdout).result.length).toBeGreaterThan(5);
  }
});

test('it adds rows each second, beside what the gateway records', async () => {
  const sql = 'SELECT COUNT(*) AS n FROM gateway.changes';
  const recorded = async () => Number((await gateway.rows('gateway.tables', { sql }))[0]?.n);
  await eventually('its start is recorded', async () => (await recorded()) > 0);
  const project = /project=([a-z]{20})/.exec(demo.stdout)?.[1] ?? '';
  const newest = async () => Number((await gateway.rows('logs.all', { project }))[0]?.timestamp);
  await eventually('its rows are of the present', async () => Date.now() - (await newest()) / 1000 < 60_000);
  const first = await newest();
  await eventually('there is a newer row', async () => (await newest()) > first);
  const second = await newest();
  await eventually('there is a newer row again', async () => (await newest()) > second);
});

test('it stops soon although a request is open, whatever the time for a shutdown', async () => {
  const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json', 'Content-Length': '100' };
  const { port } = new URL(gateway.url);
  const open = request({ port, method: 'POST', path: '/graphql', headers, agent: false });
  const aborted = once(open, 'error');
  open.write('{"query":');
  await eventually('the request is sent', async () => (open.socket?.bytesWritten ?? 0) > 0);
  // Accepted after the connection of the open request.
  await fetch(new URL('/livez', gateway.url));
  const { code, stderr } = await demo.stop();
  await aborted;
  expect(code).toBe(0);
  expect(stderr).toContain('requests were aborted after the shutdown timeout');
});
