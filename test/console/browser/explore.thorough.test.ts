import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

const day = 86_400_000;
const midnight = Math.floor(Date.now() / day) * day;

interface Made {
  readonly count: number;
  readonly path: string;
  readonly status?: number;
  readonly project?: string;
  readonly at?: number;
  readonly milliseconds?: number;
}

describe.skipIf(isWithoutChromium)('the page Explore', () => {
  let started: ConsoleInChromium;
  let made = 0;

  const rowsOf = ({
    count,
    path,
    status = 200,
    project = 'one',
    at = midnight - day / 2,
    milliseconds = 10,
  }: Made) =>
    Array.from({ length: count }, (_, index) => {
      made += 1;
      return {
        id: `row ${made}`,
        timestamp: new Date(at + index * 1000).toISOString(),
        project,
        event_message: `GET ${path} <img src=x onerror="window.hacked = true">`,
        metadata: [
          {
            request: [{ method: 'GET', path, headers: [{ cf_ray: `ray-${made % 7}` }] }],
            response: [
              { status_code: status, origin_time: milliseconds, headers: [{ cf_ray: `ray-${made % 7}` }] },
            ],
          },
        ],
      };
    });

  beforeAll(async () => {
    started = await ConsoleInChromium.start();
    await started.addRows('edge_logs', [
      // Yesterday, /auth has most errors. /rest has most rows, and most errors of today.
      ...rowsOf({ count: 40, path: '/rest/v1/users' }),
      ...rowsOf({ count: 3, path: '/rest/v1/users', status: 500 }),
      ...rowsOf({ count: 2, path: '/rest/v1/orders', status: 500, project: 'two', milliseconds: 900 }),
      ...rowsOf({ count: 1, path: '/rest/v1/carts', status: 500, project: 'two', milliseconds: 50 }),
      ...rowsOf({ count: 8, path: '/auth/v1/token', status: 500 }),
      ...rowsOf({ count: 5, path: '/auth/v1/token', status: 400 }),
      ...rowsOf({ count: 30, path: '/rest/v1/users', status: 500, at: midnight + 1000 }),
    ]);
    await started.addRows('postgres_logs', [
      { id: 'old', timestamp: '2026-01-02T03:04:05Z', project: 'one', event_message: 'long ago' },
    ]);
  });
  afterAll(() => started?.close());

  /** Clicks, and counts it. */
  function clicker() {
    let clicks = 0;
    return {
      click: async (target: ReturnType<Page['locator']>) => {
        clicks += 1;
        await target.click();
      },
      count: () => clicks,
    };
  }

  const facet = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const valuesOf = async (page: Page, name: string) =>
    (await facet(page, name).locator('.explore-only').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' ').trim(),
    );
  const rowCount = (page: Page) => page.locator('.explore-histogram [role=status]').innerText();

  test('which API area had most errors yesterday: five clicks', async () => {
    const { page, complaints } = await started.open('');
    const { click, count } = clicker();
    await click(page.getByRole('link', { name: 'Explore' }));
    await click(page.getByRole('link', { name: /^edge_logs/ }));
    await click(page.getByRole('button', { name: /^Time range/ }));
    await click(page.getByRole('button', { name: 'Yesterday' }));
    await expect.poll(() => rowCount(page)).toBe('59 rows');
    await expect.poll(() => valuesOf(page, 'status_code')).toEqual(['200 40', '500 14', '400 5']);
    await click(facet(page, 'status_code').getByRole('button', { name: '500', exact: false }).first());
    await expect.poll(() => rowCount(page)).toBe('14 rows');
    await expect.poll(() => valuesOf(page, 'path')).toEqual(['/auth 8', '/rest 6']);
    expect(count()).toBe(5);
    const picture = process.env.PICTURES;
    if (picture) await writeFile(`${picture}/explore-job.png`, await page.screenshot({ fullPage: true }));
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test('the slowest path of one project’s errors: by clicks, and in Query', async () => {
    const { page } = await started.open('#/explore/edge_logs?range=yesterday');
    const { click, count } = clicker();
    await click(facet(page, 'status_code').getByRole('button', { name: /^500/ }));
    await expect.poll(() => rowCount(page)).toBe('14 rows');
    await click(facet(page, 'project').getByRole('button', { name: /^two/ }));
    await expect.poll(() => rowCount(page)).toBe('3 rows');
    await click(page.getByText('Columns', { exact: true }));
    await page.getByLabel('Search columns').fill('origin_time');
    await click(page.getByRole('checkbox', { name: 'metadata.response.origin_time' }));
    await page.getByLabel('Search columns').fill('request.path');
    await click(page.getByRole('checkbox', { name: 'metadata.request.path' }));
    await click(page.getByText('Columns', { exact: true }));
    await page.getByLabel('Order').selectOption({ label: 'metadata.response.origin_time, greatest first' });
    const first = page.getByRole('grid').getByRole('row').nth(1);
    await first.getByText('/rest/v1/orders', { exact: true }).waitFor();
    await first.getByText('900', { exact: true }).waitFor();
    expect(count()).toBe(6);

    await page.getByRole('link', { name: 'Open in Query' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('3 rows').first().waitFor();
    await page.getByRole('columnheader', { name: 'origin_time' }).waitFor();
  });

  test('a row has all its values, filters, ids as links, copies, and rows around it', async () => {
    const { page, complaints } = await started.open(
      '#/explore/edge_logs?range=yesterday&filter=metadata.response.status_code+%3D+500',
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // What is above the rows has its height then.
    await expect.poll(() => rowCount(page)).toBe('14 rows');
    await page.getByRole('grid').getByText('500').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy as JSON' }).click();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied.metadata[0].response[0].status_code).toBe(500);
    await dialog.getByRole('button', { name: 'Next row' }).click();
    await dialog.getByRole('button', { name: 'Rows around it' }).click();
    const around = page.getByRole('grid', { name: 'Rows around it' });
    await around.getByText('▶').waitFor();
    expect(await around.getByRole('row').count()).toBeGreaterThan(15);
    await page.keyboard.press('Escape');

    await page.getByRole('grid').getByText('500').first().click();
    await dialog
      .getByRole('button', { name: /^Only rows where metadata.response.status_code is not 500/ })
      .click();
    await expect.poll(() => rowCount(page)).toBe('45 rows');
    await page.goBack();
    await expect.poll(() => rowCount(page)).toBe('14 rows');

    await page.getByRole('grid').getByText('500').first().click();
    const ray = copied.metadata[0].request[0].headers[0].cf_ray;
    expect(ray).toMatch(/^ray-/);
    await dialog.getByRole('link', { name: 'All rows with it' }).nth(1).click();
    await page.getByText(/^metadata.request.headers.cf_ray is ray-/).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a span that is drawn becomes the range, and an excluded value goes', async () => {
    const { page } = await started.open('#/explore/edge_logs?range=yesterday');
    await expect.poll(() => rowCount(page)).toBe('59 rows');
    await facet(page, 'path').getByRole('button', { name: 'Exclude /rest' }).click();
    await expect.poll(() => rowCount(page)).toBe('13 rows');
    await page
      .getByRole('button', { name: /^Remove the filter metadata.request.path is outside of/ })
      .click();
    await expect.poll(() => rowCount(page)).toBe('59 rows');
    const plot = await page.locator('.explore-chart .u-over').boundingBox();
    if (plot === null) throw new Error('there is no chart');
    const y = plot.y + plot.height / 2;
    await page.mouse.move(plot.x + plot.width * 0.1, y);
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width * 0.3, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => rowCount(page)).toBe('0 rows');
    await page.getByRole('button', { name: 'Show the day before it' }).click();
    await expect.poll(() => rowCount(page)).not.toBe('0 rows');
  });

  test('what was clicked is SQL and LQL, and what is written there is a filter', async () => {
    const { page } = await started.open('#/explore/edge_logs?range=yesterday&filter=project+%3D+one');
    await page.getByText('SQL and LQL').click();
    const sql = page.getByLabel('Conditions in SQL');
    expect(await sql.inputValue()).toBe("project = 'one'");
    await sql.fill(`project = 'one'\nAND event_message LIKE '%/auth/%'`);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => rowCount(page)).toBe('13 rows');
    await page.getByText("SQL: event_message LIKE '%/auth/%'").waitFor();
    await page.getByText('Not in LQL: The condition in SQL has no form in LQL.').waitFor();

    const lql = page.getByLabel('Filters in LQL');
    expect(await lql.inputValue()).toBe('project:one');
    await lql.fill('project:one m.nothing:1');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('metadata has no field nothing').waitFor();
    await lql.fill('project:one m.response.status_code:>=500');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => rowCount(page)).toBe('8 rows');

    await sql.fill("project = 'one'\nAND nothing = 1");
    await page.keyboard.press('Control+Enter');
    await page.getByText('Unrecognized name: nothing').first().waitFor();
  });

  test('tables are listed by name, an unknown one is said to be so, and old addresses lead here', async () => {
    const { page } = await started.open('#/tables/none');
    await page.getByText('There is no table "none". Choose another one.').waitFor();
    await page.getByLabel('Search tables').fill('postgr');
    expect(await page.locator('.explore-tables strong').allTextContents()).toEqual([
      'postgres_logs',
      'postgrest_logs',
    ]);
    await page.getByRole('link', { name: /^postgres_logs/ }).click();
    await page.getByText('The newest row is of 2026-01-02 03:04:05 UTC.').waitFor();
    await page.getByRole('button', { name: 'Show the day before it' }).click();
    await expect.poll(() => rowCount(page)).toBe('1 row');
    await page.goto(`${started.gateway.url}/#/explore/edge_logs?filter=nothing+%3D+1&range=never`);
    await page.getByText('edge_logs has no field nothing with values.').waitFor();
    await page.getByText('The address has no valid range: never').waitFor();
  });

  test.each([
    [1440, 'light'],
    [1024, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i pixels, %s: no issue of accessibility, and nothing is cut off',
    async (width, colorScheme) => {
      const screen = { viewport: { width, height: 900 }, colorScheme };
      const { page } = await started.open(
        '#/explore/edge_logs?range=yesterday&filter=project+%3D+one',
        key,
        screen,
      );
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const look = async (name: string) => {
        expect(await violations(page)).toEqual([]);
        expect(await overflow()).toBeLessThanOrEqual(0);
        const picture = `${process.env.PICTURES}/explore-${width}-${colorScheme}-${name}.png`;
        if (process.env.PICTURES) await writeFile(picture, await page.screenshot());
      };
      await expect.poll(() => rowCount(page)).toBe('56 rows');
      await page.getByRole('grid').getByText('500').first().waitFor();
      await look('page');
      await page.getByRole('grid').getByText('500').first().click();
      await page.getByRole('dialog').waitFor();
      await look('row');
    },
  );
});
