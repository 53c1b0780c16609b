import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Finding, formatMs } from '../finding.ts';
import { median } from '../measure.ts';
import { about, prove, proveIs } from '../proof.ts';
import { benchKey, startGateway } from '../started-gateway.ts';

export interface ConsoleOptions {
  readonly dataDir: string;
  /** The package's folder, where the gateway is started. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How often the page is opened. */
  readonly opened?: number;
  /** How long the table is scrolled, in milliseconds. */
  readonly scrolledMs?: number;
}

/** As many as a call has at most, and how often they are repeated: pages of them add up in a table. */
const [served, copies] = [10_000, 10];
const rows = served * copies;
const targets = { loadKb: 250, paintMs: 1_000, framesPerSecond: 50, sortMs: 500 };

const endpoint = `/*
id: 7d1e0c1a-4b8b-4a4e-8a39-2d0c3f7e9a10
name: many.rows
maxRows: ${served}
*/
SELECT n AS number, TIMESTAMP_ADD(TIMESTAMP '2026-01-01', INTERVAL n SECOND) AS timestamp,
  CONCAT('GET | 200 | /rest/v1/orders?id=eq.', CAST(n AS STRING)) AS event_message, MOD(n, 7) AS status,
  TO_HEX(MD5(CAST(n AS STRING))) AS digest, CAST(n / 8 AS NUMERIC) AS price, [STRUCT(n AS id, 'nested' AS text)] AS metadata,
  ${Array.from({ length: 13 }, (_, index) => `CONCAT('value ', CAST(MOD(n * ${index + 3}, 1009) AS STRING)) AS column_${index}`).join(', ')}
FROM UNNEST(GENERATE_ARRAY(1, ${served})) AS n
ORDER BY n`;

/**
 * Measures the console in headless Chromium: the bytes of its first load, the time to its first paint, and the frames by
 * second while a table of 100,000 rows by 20 columns is scrolled, and how long it takes to sort it. Proves that the page was there, and
 * that the rows came into view.
 *
 * @throws MeasurementError
 */
export async function measureConsole(options: ConsoleOptions): Promise<Finding[]> {
  const { opened = 10, scrolledMs = 5_000 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'bench-console-'));
  try {
    await writeFile(join(folder, 'many.rows.sql'), endpoint);
    const environment = { ...options.environment, ENDPOINTS_DIR: folder };
    await using gateway = await startGateway({ ...options, environment });
    const url = `http://127.0.0.1:${gateway.port}`;
    await using browser = await launch();
    return [
      ...(await about('first load', () => measureLoads(browser, url, opened))),
      ...(await about('table', () => measureTable(browser, url, scrolledMs))),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function launch(): Promise<Browser & AsyncDisposable> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--no-first-run',
      '--disable-gpu',
      '--disable-background-networking',
    ],
  });
  return Object.assign(browser, { [Symbol.asyncDispose]: () => browser.close() });
}

async function measureLoads(browser: Browser, url: string, opened: number): Promise<Finding[]> {
  const paints: number[] = [];
  let kilobytes = 0;
  for (let times = 0; times < opened; times++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) =>
      sizes.push(request.sizes().then((each) => each.responseBodySize)),
    );
    await page.goto(url);
    await page.getByLabel('API key').waitFor();
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    prove(paint !== undefined, 'the browser tells no first paint');
    paints.push(paint);
    const bytes = await Promise.all(sizes);
    prove(bytes.length >= 3, `only ${bytes.length} files were loaded`);
    kilobytes = bytes.reduce((sum, each) => sum + each, 0) / 1000;
    await context.close();
  }
  const paintMs = median(paints);
  return [
    {
      ...{ part: 'console', what: 'first load', detail: 'bodies of all files, compressed' },
      result: `${kilobytes.toFixed(0)} KB`,
      target: `${targets.loadKb} KB`,
      isMet: kilobytes <= targets.loadKb,
    },
    {
      ...{ part: 'console', what: 'first contentful paint', detail: `median of ${opened}` },
      result: formatMs(paintMs),
      target: formatMs(targets.paintMs),
      isMet: paintMs <= targets.paintMs,
    },
  ];
}

async function measureTable(browser: Browser, url: string, forMs: number): Promise<Finding[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((key) => sessionStorage.setItem('api-key', key), benchKey);
  const page = await context.newPage();
  await page.route('**/api/endpoints/query/many.rows**', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const [first, last] = [text.indexOf('[') + 1, text.lastIndexOf(']')];
    const body = `{"result":[${Array.from({ length: copies }, () => text.slice(first, last)).join(',')}]}`;
    await route.fulfill({ contentType: 'application/json', body });
  });
  await page.goto(`${url}/#/endpoints/many.rows`);
  const grid = page.locator('[role="grid"]');
  await grid.waitFor({ timeout: 120_000 });
  proveIs((await grid.getAttribute('aria-rowcount')) ?? '', String(rows + 1), 'rows of the table');
  proveIs((await grid.getAttribute('aria-colcount')) ?? '', '20', 'columns of the table');
  const sorts: Finding[] = [];
  for (const column of ['number', 'digest', 'price']) sorts.push(await measureSort(page, column));
  const { frames, ms, reached } = await scroll(page, forMs);
  prove(reached > rows / 2, `only row ${reached} came into view`);
  const perSecond = (frames * 1000) / ms;
  return [
    ...sorts,
    {
      ...{ part: 'console', what: 'scrolling a table' },
      detail: `frames by second over ${size}`,
      result: perSecond.toFixed(0),
      target: String(targets.framesPerSecond),
      isMet: perSecond >= targets.framesPerSecond,
    },
  ];
}

const size = `${rows.toLocaleString('en')} rows by 20 columns`;

/** From the click on the head of a column until its rows are drawn in another order. */
async function measureSort(page: Page, column: string): Promise<Finding> {
  const ms = await page.evaluate(async (name) => {
    const heads = [...document.querySelectorAll('[role="columnheader"]')];
    const head = heads.find((one) => one.querySelector('bdi')?.textContent === name);
    if (head === undefined) throw new Error(`there is no column ${name}`);
    const button = head.querySelector('button');
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    // Descending: numbers come in their order.
    for (const direction of ['ascending', 'descending']) {
      button?.click();
      while (head.getAttribute('aria-sort') !== direction) await frame();
    }
    await frame();
    return (performance.now() - start) / 2;
  }, column);
  return {
    ...{ part: 'console', what: 'sorting a table', detail: `by ${column}, ${size}` },
    result: formatMs(ms),
    target: formatMs(targets.sortMs),
    isMet: ms <= targets.sortMs,
  };
}

/** Scrolls from the first row to the last one, a step in each frame. */
function scroll(page: Page, forMs: number) {
  return page.evaluate(async (duration) => {
    const element = document.querySelector('[role="grid"]');
    if (element === null) throw new Error('there is no table');
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const start = await frame();
    let [frames, now] = [0, start];
    while (now - start < duration) {
      element.scrollTop = (element.scrollHeight * (now - start)) / duration;
      now = await frame();
      frames++;
    }
    const shown = [...element.querySelectorAll('[role="row"]')].map((row) =>
      Number(row.getAttribute('aria-rowindex')),
    );
    return { frames, ms: now - start, reached: Math.max(...shown) };
  }, forMs);
}
