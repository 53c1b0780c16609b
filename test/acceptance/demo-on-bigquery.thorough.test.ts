import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginDemo } from './support/begun-demo.ts';
import type { Command } from './support/command.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

/** The tests of this file are one story of one demo, in their order. What an empty store is filled with is tested without BigQuery. */
let workspace: Workspace;
let demo: Command;
let gateway: Gateway;
let project: string;
let faults: string;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await beginDemo(workspace);
  demo = workspace.npm(['run', 'demo', '--silent', '--', '--engine', 'bigquery']);
  gateway = await Gateway.of(demo);
  await demo.output(/Ctrl-C to stop/);
  project = /project=([a-z]{20})/.exec(demo.stdout)?.[1] ?? '';
  faults = /http:\S+\/faults/.exec(demo.stdout)?.[0] ?? '';
});
afterAll(async () => {
  await demo?.stop();
  await workspace?.remove();
});

test('it answers made-up rows by way of BigQuery', async () => {
  const metrics = await gateway.call('/metrics');
  expect(metrics.body).toContain('gateway_bigquery_attempts_total');
  expect((await gateway.call('/readyz')).body).toBe('{"status":"ok","bigquery":"reached"}');
  const counts = await gateway.rows('usage.api-counts', { project, interval: 'minutely' });
  expect(counts.length).toBeGreaterThanOrEqual(5);
  const newest = await gateway.rows('logs.all', { project, sql: 'SELECT COUNT(*) AS n FROM edge_logs' });
  expect(Number(newest[0]?.n)).toBeGreaterThan(100);
});

test('it shows rows that have been added since', async () => {
  const newest = async () => Number((await gateway.rows('logs.all', { project }))[0]?.timestamp);
  const first = await newest();
  await eventually('there is a newer row', async () => (await newest()) > first, 20);
});

test('the outage that its greeting offers is one, and ends', async () => {
  const [, fault = ''] = /curl -d '(.*)' /.exec(demo.stdout) ?? [];
  expect((await fetch(faults, { method: 'POST', body: fault })).status).toBe(200);
  expect((await gateway.query('logs.all', { project })).status).toBe(503);
  expect((await fetch(faults, { method: 'DELETE' })).status).toBe(200);
  await eventually(
    'rows come again',
    async () => (await gateway.query('logs.all', { project })).status === 200,
  );
});

test('its tables are pulled and checked as those of BigQuery', async () => {
  const settings = {
    ENGINE: 'bigquery',
    GOOGLE_CLOUD_PROJECT: 'demo-project',
    BIGQUERY_DATASET: 'logs',
    BIGQUERY_EMULATOR_HOST: new URL(faults).origin,
  };
  const pulled = await workspace.run(['sources', 'pull'], settings);
  expect(pulled).toMatchObject({ code: 0, stderr: '' });
  expect(pulled.stdout).toContain('edge_logs: unchanged');
  const checked = await workspace.run(['check', '--engine'], settings);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toMatch(/^logs\.all would read [\d,]+ bytes$/m);
});

test('it stops in order', async () => {
  expect((await demo.stop()).code).toBe(0);
  expect(await workspace.analyzers()).toEqual([]);
  await expect(fetch(faults)).rejects.toThrow();
});
