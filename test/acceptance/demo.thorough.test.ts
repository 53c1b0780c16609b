import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from './support/command.ts';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

/** The tests of this file are one story of one store, in their order: filling it takes some seconds. */
let workspace: Workspace;
let demo: Command;
let gateway: Gateway;
let project: string;

/** A shell must not stumble over it. */
const key = "it's-a-key";
const startDemo = async () => {
  demo = workspace.npm(['run', 'demo', '--silent'], { API_KEY: key });
  gateway = await Gateway.of(demo, key);
  await demo.output(/Ctrl-C to stop/);
};
const newest = async () => Number((await gateway.rows('logs.all', { project }))[0]?.timestamp);
const addedRows = () => Number(/Added ([\d,]+) made-up/.exec(demo.stdout)?.[1]?.replaceAll(',', ''));
const counts = async (interval: string) => {
  const rows = await gateway.rows('usage.api-counts', { interval, project: '.' });
  const sum = (area: string) => rows.reduce((total, row) => total + Number(row[`total_${area}_requests`]), 0);
  return { buckets: rows.length, areas: ['rest', 'storage', 'auth', 'realtime'].map(sum) };
};

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await startDemo();
  project = /project=([a-z]{20})/.exec(demo.stdout)?.[1] ?? '';
  // The engine's processes give way to others, so that filling the store takes long beside them.
}, 600_000);
afterAll(async () => {
  await demo?.stop();
  await workspace?.remove();
});

test('it fills an empty store with days of requests in all areas, and says what it does', async () => {
  expect(demo.stdout).toMatch(/^Added [\d,]+ made-up log rows to .*data\n/);
  expect(demo.stdout).toContain(`Ready at ${gateway.url}, with the key ${key}`);
  expect(addedRows()).toBeGreaterThan(10_000);
  for (const interval of ['minutely', 'daily']) {
    const { buckets, areas } = await counts(interval);
    expect(buckets).toBeGreaterThanOrEqual(7);
    for (const count of areas) expect(count).toBeGreaterThan(0);
  }
});

test('a second start goes on where the first one stopped', async () => {
  const before = await newest();
  expect((await demo.stop()).code).toBe(0);
  await startDemo();
  expect(addedRows()).toBeLessThan(2_000);
  expect(await newest()).toBeGreaterThanOrEqual(before);
});

test('its store is served without more rows by npm start', async () => {
  await demo.stop();
  const plain = workspace.npm(['start', '--silent'], { API_KEY: key });
  gateway = await Gateway.of(plain, key);
  const first = await newest();
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await newest()).toBe(first);
  expect((await plain.stop()).code).toBe(0);
});

test('somebody else’s rows end it: none of its own come after them', async () => {
  await startDemo();
  const row = edgeRow(new Date(), 'somebody', '/rest/v1');
  const file = await workspace.writeRows('own.ndjson', [row]);
  expect(await workspace.run(['import', 'edge_logs', file])).toMatchObject({
    code: 0,
    stdout: 'imported 1 row into edge_logs (0 already existed)\n',
  });
  await eventually('it says that it ends', () => demo.stderr.includes('Rows were imported'));
  const last = await newest();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await newest()).toBe(last);
  expect(await gateway.rows('logs.all', { project: 'somebody' })).toHaveLength(1);
});

test('it does not start on a store with somebody else’s rows', async () => {
  await demo.stop();
  const refused = await workspace.run(['demo']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^The store in .*data holds imported rows.*DATA_DIR.*npm start.*\n$/);
});

test('it stops in order while it fills', async () => {
  const other = { DATA_DIR: workspace.path('other') };
  const stopped = workspace.start(['demo'], other);
  await eventually('the analyzer runs', async () => (await workspace.analyzers()).length > 0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await stopped.stop()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await workspace.analyzers()).toEqual([]);
  expect(await workspace.temporaryFiles()).toEqual([]);
});
