import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig, registerEngine } from '../../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../../src/app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../../../src/app/gateway/run-gateway.ts';
import { plainLog } from '../../../../src/base/terminal/log.ts';
import { checkCommand } from '../../../../src/cli/check/check.ts';
import { explainCommand } from '../../../../src/cli/explain/explain.ts';
import { exportCommand } from '../../../../src/cli/export/export.ts';
import type { Config } from '../../../../src/definitions/settings/config.ts';
import { CapturedOutput } from '../../../cli/support/captured-output.ts';
import { endpointFile } from '../../../definitions/endpoints/support/both-engines.ts';
import { memoryEngine } from './memory-engine.ts';

const things = [
  { kind: 'a', size: 1n },
  { kind: 'b', size: 2n },
  { kind: 'a', size: 3n },
];
const columns = [
  { name: 'kind', type: 'STRING' },
  { name: 'size', type: 'INT64' },
];
const sizes = endpointFile(
  'things.sizes',
  'SELECT size FROM logs.things WHERE kind = @kind',
  'parameters:\n  kind: {}\n',
);
const counted = endpointFile('things.count', 'SELECT COUNT(*) AS n FROM logs.things');

const registered = registerEngine(memoryEngine({ 'logs.things': things }));
let folder: string;
let config: Config;
let gateway: RunningGateway;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'third-'));
  await writeFile(path.join(folder, 'things.json'), JSON.stringify(columns));
  await writeFile(path.join(folder, 'things.sizes.sql'), sizes);
  await writeFile(path.join(folder, 'things.count.sql'), counted);
  config = readConfig({
    ...{
      ENGINE: 'memory',
      PORT: '0',
      API_KEY: 'key',
      RECORD_CALLS: 'false',
      DATA_DIR: path.join(folder, 'data'),
    },
    ...{ SOURCES_DIR: folder, ENDPOINTS_DIR: folder },
  });
  gateway = await launchGateway(config, { log: plainLog(() => {}) });
});
afterAll(async () => {
  registered[Symbol.dispose]();
  await gateway?.close();
  await rm(folder, { recursive: true });
});

async function call(target: string, body?: string) {
  const headers = { 'X-API-KEY': 'key', 'Content-Type': 'application/json' };
  const response = await fetch(`${gateway.url}${target}`, {
    ...{ headers, method: body === undefined ? 'GET' : 'POST' },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

async function outputOf(command: (output: CapturedOutput) => Promise<number>) {
  const output = new CapturedOutput();
  return { code: await command(output), output };
}

test('it serves endpoints over REST', async () => {
  const { json } = await call('/api/endpoints/query/things.sizes?kind=a');
  expect(json.result).toEqual([{ size: 1 }, { size: 3 }]);
});

test('it serves endpoints over GraphQL, with estimates', async () => {
  const query = '{ thingsSizes(kind: "b") { size } estimates { thingsSizes(kind: "b") { bytesProcessed } } }';
  const { json } = await call('/graphql', JSON.stringify({ query }));
  expect(json.data).toEqual({
    thingsSizes: [{ size: '2' }],
    estimates: { thingsSizes: { bytesProcessed: '1000' } },
  });
});

test('it estimates over REST', async () => {
  const { json } = await call('/api/endpoints/query/things.sizes?kind=a&dry_run=true');
  expect(json).toEqual({ dry_run: { bytes_processed: 1000 } });
});

test('it says of itself what it is, and what it does not have is absent', async () => {
  expect((await call('/api/caller')).json.engine).toBe('memory');
  expect((await call('/readyz')).json).toMatchObject({ memory: 'full of rows' });
  expect((await call('/api/operations')).json).toMatchObject({
    engine: 'memory',
    engineProcess: null,
    disk: null,
  });
});

test('it refuses rows and events in its own words', async () => {
  const words = 'The engine in memory has the rows that it was made with.';
  for (const target of ['/api/sources/things/rows', '/api/logs?source=things']) {
    const { status, json } = await call(target, '{"kind":"c","size":4}');
    expect({ status, text: JSON.stringify(json) }).toEqual({
      status: 404,
      text: expect.stringContaining(words),
    });
  }
});

test('its endpoints that it cannot run answer with the reason, and check reports them in its words', async () => {
  const { status, json } = await call('/api/endpoints/query/things.count');
  expect({ status, text: JSON.stringify(json) }).toEqual({
    status: 422,
    text: expect.stringContaining('Not supported: resolved_aggregate_scan_node'),
  });
  const { code, output } = await outputOf((to) => checkCommand(config, to, { engine: true }));
  expect(code).toBe(1);
  expect(output.stderr).toContain('Not supported: resolved_aggregate_scan_node, which memory lacks');
  expect(output.stdout).toContain('things.sizes');
});

test('commands for the store refuse it in its own words', async () => {
  await expect(exportCommand('things', {}, config)).rejects.toThrow(
    "The engine in memory has the rows that it was made with: it can't export any.",
  );
});

test('explain prints what it runs, and says why it has no plan', async () => {
  const explain = (options: { plan?: boolean; cost?: boolean }) =>
    outputOf((to) => explainCommand(config, to, 'things.sizes', { param: ['kind=a'], ...options }));
  const { output } = await explain({ cost: true });
  expect(output.stdout).toContain('SELECT size FROM logs.things WHERE kind = @kind');
  await expect(explain({ plan: true })).rejects.toThrow('--plan: the engine in memory has no plans');
});

test('an engine is ended if the gateway cannot start, however early that shows', async () => {
  const ended = vi.fn(async () => {});
  const engine = memoryEngine({});
  using _ = registerEngine({ ...engine, name: 'early', launch: () => ({ ...engine.launch(), end: ended }) });
  const wrong = { ...config, engine: 'early', sourcesDir: path.join(folder, 'missing') };
  await expect(launchGateway(wrong, { log: plainLog(() => {}) })).rejects.toThrow();
  expect(ended).toHaveBeenCalledOnce();
});
