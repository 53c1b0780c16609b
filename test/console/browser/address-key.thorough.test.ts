import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../../src/app/gateway/run-gateway.ts';
import { newContext } from '../../support/chromium.ts';

const log = { info() {}, warn() {}, error() {} };

let folder: string;
let gateway: RunningGateway;

function start(keyInAddress: boolean): Promise<RunningGateway> {
  const config = readConfig({
    ...{ PORT: '0', DUCKDB_MEMORY_LIMIT: '1GB', SHUTDOWN_DELAY_MS: '0' },
    ...{ DATA_DIR: path.join(folder, 'data'), ENDPOINTS_DIR: 'schema/endpoints' },
  });
  return launchGateway(config, { log, keyInAddress });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gw-'));
  gateway = await start(true);
});
afterAll(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

test('the printed address opens the console with its key, which leaves the address and is sent in headers only', async () => {
  const context = await newContext({});
  const page = await context.newPage();
  const urls: string[] = [];
  context.on('request', (request) => urls.push(request.url()));
  await page.goto(`${gateway.url}/#key=${gateway.key}`);
  await page.getByText('logs.all').first().waitFor();
  expect(page.url()).toBe(`${gateway.url}/#/`);
  expect(urls.filter((url) => url.includes(gateway.key) && !url.includes('#'))).toEqual([]);
  // In the same tab again, and after a reload without it.
  await page.goto(`${gateway.url}/#key=wrong`);
  await page.getByText('does not accept this key').waitFor();
  await page.goto(`${gateway.url}/#key=${gateway.key}`);
  await page.getByText('logs.all').first().waitFor();
  await page.reload();
  await page.getByText('logs.all').first().waitFor();
});

test('the address without the key asks for it, and the gateway tells it to nobody', async () => {
  const context = await newContext({});
  const page = await context.newPage();
  const bodies: Promise<string>[] = [];
  context.on('response', (response) => bodies.push(response.text()));
  await page.goto(gateway.url);
  await page.getByLabel('API key').waitFor();
  expect((await Promise.all(bodies)).join('')).not.toContain(gateway.key);
});

test('a gateway that prints no such address takes no key from it', async () => {
  await gateway.close();
  gateway = await start(false);
  const context = await newContext({});
  const page = await context.newPage();
  await page.goto(`${gateway.url}/#key=${gateway.key}`);
  await page.getByLabel('API key').waitFor();
});
