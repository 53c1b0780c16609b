import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeRow } from '../../../acceptance/support/edge-rows.ts';
import { ConsoleInChromium } from '../../../console/browser/console-in-chromium.ts';
import { isWithoutChromium } from '../../../support/chromium.ts';

const startTabs = ['LogsAll', 'LogsAllTables', 'LogsAllQuery', 'UsageApiCounts', 'UsageApiCountsQuery'];

describe.skipIf(isWithoutChromium)('GraphiQL in Chromium', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start();
    const rows = [1, 2, 3].map((minutes) =>
      edgeRow(new Date(Date.now() - minutes * 60_000), 'fjrqomtzlwkgbxhvnuea', '/rest/v1'),
    );
    await started.addRows('edge_logs', rows);
  });
  afterAll(() => started?.close());

  /** The page in a browser that has never seen it, with what it asked for and complained about. */
  async function openPage(screen: BrowserContextOptions = {}) {
    const { page, requests, complaints } = await started.open('graphql', null, screen);
    await page.getByRole('button', { name: /^Execute query/ }).waitFor();
    return { page, requests, complaints };
  }

  const tabs = (page: Page) =>
    page.getByRole('tab').getByRole('button').and(page.locator('.graphiql-tab-button'));
  const openTab = (page: Page, name: string) => tabs(page).getByText(name, { exact: true }).click();
  const status = (page: Page) => page.locator('#key-status');

  /** Clicks Run until what is shown of the answer matches: a tab's operation is known a moment after it is open. */
  const runUntil = (page: Page, pattern: RegExp) =>
    expect
      .poll(
        async () => {
          await page.getByRole('button', { name: /^Execute query/ }).click();
          await page.waitForTimeout(500);
          // Editors show spaces as no-break spaces.
          return (await page.locator('.graphiql-response').innerText()).replaceAll('\u00a0', ' ');
        },
        { timeout: 15_000 },
      )
      .toMatch(pattern);

  test('who comes from the console need not enter the key again', async () => {
    const { page } = await started.open('');
    await page.getByRole('link', { name: 'GraphiQL' }).click();
    await page.getByRole('button', { name: /^Execute query/ }).waitFor();
    await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toBe('Key accepted');
    expect(page.url()).not.toContain('the-key');
    await page.getByLabel('API key').fill('');
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('api-key'))).toBeNull();
  });

  test('enter the key, click Run, read rows: in each of the tabs from the start, and after reloading', async () => {
    const { page, requests, complaints } = await openPage();
    expect(await tabs(page).allInnerTexts()).toEqual(startTabs);
    await page.getByLabel('API key').fill('the-key');
    await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toBe('Key accepted');

    await runUntil(
      page,
      /"logsAll": \[\s+\{\s+"id": "[\w-]+",\s+"timestamp": "20[^"]+Z",\s+"eventMessage": "/,
    );
    await openTab(page, 'LogsAllTables');
    await runUntil(page, /"logsAllTables": \{\s+"edgeLogs": \[\s+\{\s+"timestamp": "20/);
    await openTab(page, 'LogsAllQuery');
    await runUntil(page, /"rows": \[\s+\{\s+"row_count": \d+/);
    await openTab(page, 'UsageApiCounts');
    await runUntil(page, /"usageApiCounts": \[\s+\{\s+"timestamp": "20[^"]+",\s+"totalRestRequests": "\d+"/);

    expect(complaints).toEqual([]);
    const origins = new Set(requests.map((request) => new URL(request).origin));
    expect([...origins]).toEqual([started.gateway.url]);

    // After reloading, key and tabs are as they were. In another tab of the browser the key is unknown.
    await page.reload();
    await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toBe('Key accepted');
    expect(await tabs(page).allInnerTexts()).toEqual(startTabs);
    await runUntil(page, /"usageApiCounts": \[/);
    const other = await page.context().newPage();
    await other.goto(`${started.gateway.url}/graphql`);
    expect(await other.getByLabel('API key').inputValue()).toBe('');

    // Numbers of every size are read from answers, and shown with all their digits.
    const text = '[1,-2.5,1e+308,1.7976931348623157e+308,9007199254740993,123456789012345680.5,-0.001]';
    const shown = await page.evaluate((json) => JSON.stringify(JSON.parse(json)), text);
    expect(shown).toBe('[1,-2.5,1e+308,1.7976931348623157e+308,9007199254740993,123456789012345680,-0.001]');
    expect(
      await page.evaluate(() => JSON.parse('{"a":1}', (key, value) => (key === 'a' ? 2 : value))),
    ).toEqual({ a: 2 });
  });

  test('without a key nothing is asked for; the schema and a query that is run wait for an accepted one', async () => {
    const { page, requests } = await openPage();
    expect(await status(page).innerText()).toBe('Queries wait for it.');
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await page.getByRole('button', { name: /^Stop query/ }).waitFor();
    expect(requests.filter((request) => request.startsWith('http'))).toEqual([
      `${started.gateway.url}/graphql`,
    ]);

    await page.getByLabel('API key').fill('wrong');
    await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toBe('This key is not known.');
    await page.getByLabel('API key').fill('not a key');
    await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toMatch(/no spaces/);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByLabel('API key').fill('the-key');
    await page.getByText('UsageApiCountsRow').waitFor();
    await expect
      .poll(() => page.locator('.graphiql-response').innerText(), { timeout: 15_000 })
      .toMatch(/"logsAll":/);
    expect(await status(page).innerText()).toBe('Key accepted');
  });

  describe('on the screen of a phone', () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

    const runButton = (page: Page) => page.getByRole('button', { name: /^Execute query/ });
    const parts = (page: Page): Readonly<Record<string, Locator>> => ({
      key: page.locator('#key-bar'),
      tabs: page.locator('.graphiql-session-header'),
      query: page.locator('.graphiql-query-editor .graphiql-editor'),
      run: runButton(page),
      tools: page.locator('.graphiql-editor-tools'),
      answer: page.locator('.graphiql-response'),
      buttons: page.locator('.graphiql-sidebar'),
    });

    /** Where the parts are, in pixels. */
    const boxes = (page: Page) =>
      Promise.all(
        Object.entries(parts(page)).map(async ([name, locator]) => {
          const box = await locator.boundingBox();
          if (box === null) throw new Error(`${name} is not shown`);
          return { name, left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
        }),
      );

    async function expectAllVisible(page: Page) {
      const size = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return { width: innerWidth, height: innerHeight, scrollWidth, scrollHeight };
      });
      expect(size).toEqual({ width: 390, height: 844, scrollWidth: 390, scrollHeight: 844 });
      const shown = await boxes(page);
      for (const { name, left, top, right, bottom } of shown) {
        expect(Math.min(left, top), name).toBeGreaterThanOrEqual(0);
        expect(right, name).toBeLessThanOrEqual(390);
        expect(bottom, name).toBeLessThanOrEqual(844.5);
      }
      const overlapping = shown.flatMap((one, index) =>
        shown
          .slice(index + 1)
          .filter((other) => one.left < other.right - 1 && other.left < one.right - 1)
          .filter((other) => one.top < other.bottom - 1 && other.top < one.bottom - 1)
          .map((other) => `${one.name} and ${other.name}`),
      );
      expect(overlapping).toEqual([]);
    }

    test('nothing is off the screen or covered, and each example is run by touch', async () => {
      const { page, complaints } = await openPage(phone);
      await expectAllVisible(page);
      await page.getByLabel('API key').fill('the-key');
      await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toBe('Key accepted');
      for (const name of startTabs) {
        await tabs(page).getByText(name, { exact: true }).tap();
        const field = `"${name.charAt(0).toLowerCase()}${name.slice(1)}":`;
        await runUntil(page, new RegExp(field));
        await expectAllVisible(page);
      }
      const [query, answer] = [
        await parts(page).query?.boundingBox(),
        await parts(page).answer?.boundingBox(),
      ];
      expect(query?.width).toBeGreaterThan(250);
      expect(query?.height).toBeGreaterThan(200);
      expect(answer?.width).toBeGreaterThan(350);
      expect(answer?.height).toBeGreaterThan(250);
      expect(complaints).toEqual([]);

      // Long notices about the key, the documentation and the variables leave room for the rest.
      await page.getByLabel('API key').fill('not a key');
      await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toMatch(/no spaces/);
      await expectAllVisible(page);
      await page.getByLabel('API key').fill('the-key');
      await expect.poll(() => status(page).innerText(), { timeout: 15_000 }).toBe('Key accepted');
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).tap();
      await page.getByText('UsageApiCountsRow').waitFor();
      await expectAllVisible(page);
      await page.getByRole('button', { name: 'Hide Documentation Explorer' }).tap();
      await page.getByRole('button', { name: 'Variables' }).tap();
      await expectAllVisible(page);
      await runButton(page).tap();
    });
  });
});
