import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '../acceptance/support/command.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { eventually } from '../acceptance/support/processes.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { blocksOf } from './markdown.ts';

const file = 'docs/projects.md';

/** The project that the page makes, in a folder of its own. */
let workspace: Workspace;
let folder: string;
let steps: string[][];

beforeAll(async () => {
  workspace = await Workspace.create();
  folder = workspace.path('shop');
  await mkdir(folder);
  steps = (await blocksOf(file, 'sh')).map((block) => block.trim().split('\n'));
});
afterAll(() => workspace?.remove());

/** The settings of commands that run in the project: those that a user has, none. */
const settings = () => ({
  ENDPOINTS_DIR: '',
  SOURCES_DIR: '',
  DATA_DIR: '',
  RECORD_CALLS: '',
  SHUTDOWN_DELAY_MS: '',
  ENV_FILE: '',
});

/** The arguments of the gateway for a line of the page: `npm run` and `npx` need an installed package. */
async function argumentsOf(line: string): Promise<string[]> {
  const [, script] = /^npm (?:run )?(\w+)$/.exec(line) ?? [];
  const { scripts } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8').catch(() => '{}'));
  const command: string = script === undefined ? line.replace(/^npx /, '') : scripts[script];
  expect(command).toMatch(/^endpoint-gateway /);
  return command.split(' ').slice(1);
}

/** Runs the commands of a block in the project, but for those of npm itself. */
async function run(block: readonly string[] | undefined): Promise<string> {
  let said = '';
  for (const line of block ?? []) {
    if (/^(?:mkdir|npm install)/.test(line)) continue;
    const outcome = await workspace.startIn(folder, await argumentsOf(line), settings()).outcome;
    expect(outcome, line).toMatchObject({ code: 0 });
    said += outcome.stdout;
  }
  return said;
}

async function dev(args: readonly string[] = []): Promise<Gateway> {
  const command: Command = workspace.startIn(
    folder,
    [...(await argumentsOf('npm run dev')), ...args],
    settings(),
  );
  await command.output(/Ctrl-C to stop/);
  return Gateway.of(command);
}

test('the page begins with a project whose files are those of its table', async () => {
  const said = await run(steps[0]);
  const written = [...said.matchAll(/^wrote shop\/(.*)$|^wrote (.*)$/gm)].map(
    ([, inner, path]) => inner ?? path ?? '',
  );
  const text = await readFile(file, 'utf8');
  for (const path of written) expect(text).toContain(`\`${path}\``);
  expect(written.length).toBeGreaterThan(8);
});

test('dev serves its endpoint over made-up rows, then rows that are imported, at the same address', async () => {
  expect(steps[1]).toEqual(['npm run dev']);
  const gateway = await dev();
  try {
    const [, url = ''] = /'(http:[^']*)'/.exec(gateway.command.stdout) ?? [];
    const reply = await gateway.call(url.slice(gateway.url.length));
    expect(JSON.parse(reply.body).result.length).toBeGreaterThan(5);
    const sql = ['sql', 'SELECT COUNT(*) > 1000 AS many FROM logs.requests', '--format', 'csv'];
    const asked = await workspace.startIn(folder, sql, settings()).outcome;
    expect(asked, asked.stderr).toMatchObject({ code: 0, stdout: 'many\r\ntrue\r\n' });
    expect(asked.stderr).toContain('serves made-up rows');
    const counted = async () =>
      (await gateway.rows('requests.by-path', { service: 'shop', hours: '1' })).reduce(
        (sum, { request_count }) => sum + Number(request_count),
        0,
      );
    const first = await counted();
    expect(first).toBeGreaterThan(400);
    await workspace.write('shop/orders.ndjson', (await blocksOf(file, 'json'))[0] ?? '');
    expect(await run(steps[2])).toContain('imported 3 rows into orders');
    await gateway.command.output(/dev serves them in place of the made-up rows.*Ctrl-C to stop/s);
    expect(gateway.command.stdout.match(/Ready at (\S+),/g)).toEqual(
      Array(2).fill(`Ready at ${gateway.url},`),
    );
    await eventually('the made-up rows are gone', async () => (await counted()) === 0);
    await workspace.write('shop/endpoints/orders.by-day.sql', (await blocksOf(file, 'sql'))[0] ?? '');
    const query = () => gateway.query('orders.by-day', { shop: 'north' });
    await eventually('the new endpoint is there', async () => (await query()).status === 200);
    expect(JSON.parse((await query()).body).result).toEqual([
      { day: '2026-01-14', order_count: 2, total: '24.75' },
    ]);
  } finally {
    expect((await gateway.stop('SIGINT')).code).toBe(0);
  }
  expect(await workspace.temporaryFiles()).toEqual([]);
});

test('its endpoint passes the check and its test, and answers', async () => {
  await workspace.write('shop/endpoints/orders.by-day.test.yaml', (await blocksOf(file, 'yaml'))[0] ?? '');
  const said = await run(steps[3]);
  expect(said).toContain('orders.by-day');
  expect(said).toContain('24.75');
});

test('its contract is written, and compared after an upgrade', async () => {
  await run(steps[4]);
  expect(await readFile(`${folder}/schema.graphql`, 'utf8')).toContain('ordersByDay(');
  expect(await run(steps[5])).toContain('no breaking changes');
  expect(steps).toHaveLength(6);
});

test('made-up rows stay out of the store, whatever it has, and posted ones end them', async () => {
  const before = await readdir(`${folder}/data`);
  const gateway = await dev(['--rows', '50', '--seed', '7']);
  try {
    expect(await gateway.rows('orders.by-day', { shop: 'north' })).not.toEqual([]);
    const headers = { 'Content-Type': 'application/json' };
    const event = { id: 'n1', timestamp: new Date().toISOString(), shop: 'west', total: 1, items: [] };
    const posted = { method: 'POST', headers, body: JSON.stringify([event]) };
    expect((await gateway.call('/api/logs?source=orders', posted)).status).toBe(200);
    await eventually('it says so', async () => gateway.command.stderr.includes('dev makes up no more rows'));
    expect(await gateway.rows('orders.by-day', { shop: 'west' })).toHaveLength(1);
  } finally {
    await gateway.stop();
  }
  expect(await readdir(`${folder}/data`)).toEqual(before);
  const { stdout } = await workspace.startIn(
    folder,
    ['run', 'orders.by-day', '--param', 'shop=west'],
    settings(),
  ).outcome;
  expect(stdout).not.toContain('west');
});

test('a setting in its .env is used, and an invalid one is an error with its line', async () => {
  const env = await workspace.write('shop/.env', '# settings\nENGINE=oracle\n');
  const check = (more = {}) => workspace.startIn(folder, ['check'], { ...settings(), ...more }).outcome;
  expect(await check()).toMatchObject({ code: 2, stderr: '.env:2: ENGINE: expected duckdb or bigquery\n' });
  expect(await check({ ENGINE: 'duckdb' })).toMatchObject({ code: 0 });
  await rm(env);
});
