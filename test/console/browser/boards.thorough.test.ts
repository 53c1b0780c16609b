// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of boards have this form
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

const project = 'fjrqomtzlwkgbxhvnuea';

const hourly = `/*
id: 5a1f6f0c-5a3e-4d4f-9d2b-0f6f3a1c8e99
name: hourly
parameters:
  project:
    required: true
    example: ${project}
  start: {type: TIMESTAMP}
  end: {type: TIMESTAMP}
*/
SELECT TIMESTAMP_TRUNC(t.timestamp, HOUR) AS hour, COUNT(*) AS calls
FROM logs.edge_logs AS t
WHERE t.project = @project
  AND t.timestamp >= COALESCE(@start, TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY))
  AND t.timestamp <= COALESCE(@end, CURRENT_TIMESTAMP())
GROUP BY hour
ORDER BY hour
`;

const sql =
  'select m.request[offset(0)].path as path, count(*) as calls from edge_logs, edge_logs.metadata as m group by path';

describe.skipIf(isWithoutChromium)('the boards of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start({ hourly });
    const hours = Array.from({ length: 40 }, (_, index) => index);
    await started.addRows(
      'edge_logs',
      hours.map((hour) => ({
        project,
        id: `row-${hour}`,
        timestamp: new Date(Date.now() - hour * 3_600_000).toISOString(),
        event_message: `GET /rest/v1/${hour}`,
        metadata: [
          {
            request: [{ url: `https://${project}/rest`, path: `/rest/v1/${hour % 3}`, method: 'GET' }],
            response: [{ status_code: 200 }],
          },
        ],
      })),
    );
  });

  afterAll(() => started?.close());

  const panel = (page: Page, title: string) =>
    page.locator('section.panel').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const goTo = (page: Page, address: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, address);

  test('a board of three charts for the team takes nine clicks, and is a file that others open by what their keys allow', async () => {
    const { page, complaints } = await started.open(
      `#/endpoints/usage.api-counts?interval=daily&project=${project}`,
    );
    let clicks = 0;
    const click = async (name: string, role: 'button' | 'tab' = 'button') => {
      await page.getByRole(role, { name, exact: true }).click();
      clicks += 1;
    };
    await click('Add to a board');
    await page.getByLabel('Name of the board').fill('team');
    await click('Add');
    await panel(page, 'usage.api-counts').getByRole('img').waitFor();

    await goTo(page, '#/endpoints/hourly');
    await click('Add to a board');
    // The board of the panel before is chosen.
    await click('Add');
    await panel(page, 'hourly').getByRole('img').waitFor();

    await goTo(page, `#/query/logs.all?project=${project}&sql=${encodeURIComponent(sql)}`);
    await click('Run');
    await click('Chart', 'tab');
    await click('Add to a board');
    await page.getByLabel('Title').fill('Paths');
    await click('Add');
    await panel(page, 'Paths').getByText('/rest/v1/2').waitFor();
    await click('Save');
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    expect(clicks).toBe(9);

    const file = path.join(started.folder, 'boards', 'team.yaml');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('start: ${from}');
    expect(text).toContain(`project: ${project}`);
    expect(await violations(page)).toEqual([]);

    // Others see what their keys allow.
    const made = await fetch(`${started.gateway.url}/api/keys`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'colleague',
        scopes: ['query'],
        endpoints: ['hourly'],
        projects: [project],
      }),
    });
    const { key: colleague } = (await made.json()) as { readonly key: string };
    const other = await started.open('#/boards', colleague);
    await other.page.getByRole('link', { name: 'team' }).click();
    await panel(other.page, 'hourly').getByRole('img').waitFor();
    expect(await other.page.getByText('Not for this key').count()).toBe(2);
    expect(await other.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(await other.page.content()).not.toContain('edge_logs');
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  test('the range and what is chosen are in the address, and a click on a title opens the same call', async () => {
    const put = await fetch(`${started.gateway.url}/api/boards/ranges`, {
      method: 'PUT',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        text: `title: Ranges
range: 6h
variables:
  project:
    label: Project
    default: ${project}
    query: {sql: SELECT DISTINCT project FROM edge_logs, column: project}
panels:
  - title: Total
    endpoint: hourly
    parameters: {project: '\${project}', start: '\${from}', end: '\${to}'}
    chart: {type: number, y: [calls]}
    place: {column: 1, row: 1, width: 4, height: 2}
  - title: Rows
    endpoint: hourly
    parameters: {project: '\${project}', start: '\${from}', end: '\${to}'}
    chart: {type: table}
  - title: Broken
    sql: SELECT CAST(project AS INT64) AS n FROM edge_logs
`,
      }),
    });
    expect(put.status).toBe(201);
    const { page, requests } = await started.open('#/boards/ranges');
    await panel(page, 'Total')
      .getByText('6', { exact: true })
      .or(panel(page, 'Total').getByText('7', { exact: true }))
      .first()
      .waitFor();
    await panel(page, 'Broken').getByText('The query failed').waitFor();
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await panel(page, 'Total').getByText('40', { exact: true }).waitFor();
    expect(page.url()).toContain('range=7d');
    await page.getByLabel('Project').selectOption(project);
    await expect.poll(() => page.url()).toContain(`project=${project}`);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain('range=');
    await panel(page, 'Total').getByText('40', { exact: true }).waitFor({ state: 'detached' });
    // Calls within the time of a bucket are the same.
    const calls = requests.filter((request) => request.includes('/hourly?'));
    expect(
      new Set(calls.map((request) => new URL(request).searchParams.get('start'))).size,
    ).toBeLessThanOrEqual(4);
    await page.getByRole('link', { name: 'Total' }).click();
    await page.getByRole('heading', { name: 'hourly' }).waitFor();
    expect(page.url()).toContain('start=20');
  });

  test('a live board shows rows as they arrive', async () => {
    const { page } = await started.open('#/boards/ranges?refresh=live&range=24h');
    const total = panel(page, 'Total').locator('dd');
    await total.waitFor();
    const before = Number(await total.innerText());
    await started.addRows('edge_logs', [
      { project, id: 'late', timestamp: new Date().toISOString(), event_message: 'late', metadata: [] },
    ]);
    await expect.poll(async () => Number(await total.innerText()), { timeout: 60_000 }).toBe(before + 1);
  });

  test('panels are moved and resized by the keyboard, and a change is discarded', async () => {
    const { page } = await started.open('#/boards/ranges');
    await page.getByRole('button', { name: 'Edit' }).click();
    const total = panel(page, 'Total');
    const column = () => total.evaluate((element) => getComputedStyle(element).gridColumn);
    await total.getByRole('button', { name: 'Move right' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(column).toBe('3 / span 4');
    await total.getByLabel('Width').fill('6');
    await page.keyboard.press('Tab');
    await expect.poll(column).toBe('3 / span 6');
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await expect.poll(column).toBe('3 / span 6');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(column).toBe('1 / span 4');
  });

  test('on a telephone, panels are below one another in the order of their places', async () => {
    const { page } = await started.open('#/boards/ranges', key, { viewport: { width: 390, height: 800 } });
    await panel(page, 'Total').locator('dd').waitFor();
    const widths = await page
      .locator('section.panel')
      .evaluateAll((panels) => panels.map((one) => Math.round(one.getBoundingClientRect().width)));
    expect(new Set(widths).size).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await violations(page)).toEqual([]);
  });
});
