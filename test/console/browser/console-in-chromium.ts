import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../../src/app/gateway/run-gateway.ts';
import { openEditing } from '../../../src/tools/endpoint-editing/open-editing.ts';
import { newContext } from '../../support/chromium.ts';

export const key = 'the-key';

const reload = { output: { out() {}, err() {} }, watch: true, requests: { listen() {} } };

/** An endpoint file: its text by its name. */
export type EndpointFiles = Readonly<Record<string, string>>;

/** A page of the console, with what it asked for and complained about. */
export interface OpenedPage {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

/** A gateway with the shipped sources and endpoints, whose pages are opened in the worker's browser. */
export class ConsoleInChromium {
  readonly gateway: RunningGateway;
  /** What it keeps, until it is closed. */
  readonly folder: string;

  constructor(gateway: RunningGateway, folder: string) {
    this.gateway = gateway;
    this.folder = folder;
  }

  /**
   * @param endpoints further ones
   * @param watches whether files that change are served, as in `dev`
   */
  static async start(endpoints: EndpointFiles = {}, watches = false): Promise<ConsoleInChromium> {
    const folder = await mkdtemp(path.join(tmpdir(), 'gw-'));
    const endpointsDir = path.join(folder, 'endpoints');
    await cp('schema/endpoints', endpointsDir, { recursive: true });
    for (const [name, text] of Object.entries(endpoints)) {
      await writeFile(path.join(endpointsDir, `${name}.sql`), text);
    }
    const config = readConfig({
      ...{ PORT: '0', API_KEY: key, DUCKDB_MEMORY_LIMIT: '1GB', SHUTDOWN_DELAY_MS: '0' },
      ...{ DATA_DIR: path.join(folder, 'data'), ENDPOINTS_DIR: endpointsDir },
    });
    const log = { info() {}, warn() {}, error() {} };
    const hooks = { log, openEditing, writesEndpoints: true, ...(watches && { reload }) };
    return new ConsoleInChromium(await launchGateway(config, hooks), folder);
  }

  /** The folder with the files of endpoints. */
  get endpointsDir(): string {
    return path.join(this.folder, 'endpoints');
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * A page in a browser that has never seen it, until the end of the test.
   *
   * @param address its fragment, such as `#/operations`
   * @param given the key that the tab has; null for none
   */
  async open(
    address: string,
    given: string | null = key,
    screen: BrowserContextOptions = {},
  ): Promise<OpenedPage> {
    const context = await newContext(screen);
    context.setDefaultTimeout(90_000);
    if (given !== null) await context.addInitScript((text) => sessionStorage.setItem('api-key', text), given);
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') console.error(complaints, await page.locator('body').innerText());
    });
    context.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${this.gateway.url}/${address}`);
    return { page, requests, complaints };
  }

  /** Adds rows to a source as an operator does. */
  async addRows(source: string, rows: readonly object[]): Promise<void> {
    const response = await fetch(`${this.gateway.url}/api/sources/${source}/rows`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/x-ndjson' },
      body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
}

/** The violations of accessibility rules in a page, each with the elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  // By the protocol of the browser's debugger, which the page's policy doesn't bind.
  const results: { violations: readonly Violation[] } = await page.evaluate(`${axe.source}; axe.run()`);
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
