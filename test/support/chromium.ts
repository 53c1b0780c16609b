import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Whether tests with a browser are skipped. In CI, they fail without one. */
export const isWithoutChromium = !existsSync(executablePath) && process.env.CI !== 'true';

const quiet = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map(
  (what) => `--disable-${what}`,
);

/** A browser that reaches this machine only: whatever a page would want from elsewhere is not there. */
export function launchChromium(): Promise<Browser> {
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
