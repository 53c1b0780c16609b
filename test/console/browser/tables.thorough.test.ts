import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, violations } from './console-in-chromium.ts';

describe.skipIf(isWithoutChromium)('the tables of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start();
    await started.addRows(
      'edge_logs',
      Array.from({ length: 30 }, (_, index) => ({
        id: `row ${index}`,
        timestamp: `2026-01-0${1 + (index % 3)}T00:00:00Z`,
        project: index % 3 === 0 ? 'one' : 'other',
        event_message: '<img src=x onerror="window.hacked = true">',
      })),
    );
  });
  afterAll(() => started?.close());

  test('show rows, columns, values and days, and lead to an endpoint', async () => {
    const { page, complaints } = await started.open('#/tables/edge_logs');
    await page.getByRole('heading', { name: 'edge_logs' }).waitFor();
    await page.getByText('30 rows').first().waitFor();
    await page.getByRole('tab', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Values of project' }).click();
    const values = page.locator('.column-values');
    await values.getByText('about 2 different values').waitFor();
    expect(await values.locator('tbody tr').allTextContents()).toEqual(['other20', 'one10']);
    expect(await violations(page)).toEqual([]);
    const picture = process.env.PICTURES;
    if (picture) await writeFile(`${picture}/tables.png`, await page.screenshot());
    await page.getByRole('tab', { name: 'By day' }).click();
    await page.getByText('3 rows').first().waitFor();
    await page.getByRole('link', { name: 'Query', exact: true }).last().click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('30 rows').first().waitFor();
    await page.getByRole('link', { name: 'Make an endpoint' }).click();
    await page.getByText('No errors.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('newest.requests');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test('are listed by name, and an unknown one is said to be so', async () => {
    const { page } = await started.open('#/tables/none');
    await page.getByText('There is no table "none"').waitFor();
    await page.getByLabel('Search tables').fill('postgr');
    const names = await page.locator('.tables-list a').allTextContents();
    expect(names).toEqual(['postgres_logs', 'postgrest_logs']);
  });
});
