import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const executablePath = '/usr/bin/chromium';

/** Whether tests with a browser are skipped. In CI, they fail without one. */
export const isWithoutChromium = !existsSync(executablePath) && process.env.CI !== 'true';

const quiet = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map(
  (what) => `--disable-${what}`,
);

let running: Promise<Browser> | undefined;

/**
 * The browser of this worker's tests, which ends with the worker. It reaches this machine only: whatever a page would want
 * from elsewhere is not there.
 */
async function browserOfWorker(): Promise<Browser> {
  if (!(await running)?.isConnected()) running = launch();
  return running as Promise<Browser>;
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--no-first-run',
      ...quiet,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

/** A browser that has seen nothing, until the end of the test: pages that stay open would go on computing. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await browserOfWorker()).newContext(options);
  onTestFinished(() => context.close());
  return context;
}
