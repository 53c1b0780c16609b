import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

const project = 'fjrqomtzlwkgbxhvnuea';

const served = `/*
id: 8a8f8f0e-54ff-4a52-8e22-6e6b9b8f3d01
name: rows.of-project
maxRows: 10
parameters:
  project: { required: true, example: ${project} }
*/
SELECT id, timestamp, event_message FROM logs.edge_logs WHERE project = @project ORDER BY timestamp DESC
`;

describe.skipIf(isWithoutChromium)('the page where endpoints are written', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start({ 'rows.of-project': served }, true);
    await started.addRows(
      'edge_logs',
      Array.from({ length: 5 }, (_, hour) => ({
        ...{ project, id: `row-${hour}`, event_message: `GET /rest/v1/${hour}` },
        timestamp: new Date(Date.now() - hour * 3_600_000).toISOString(),
      })),
    );
  });

  afterAll(() => started?.close());

  const editor = (page: Page) => page.getByRole('textbox', { name: 'Endpoint file' });
  const cells = (page: Page) => page.getByRole('gridcell').allInnerTexts();

  /** Counts what a user does with the mouse. */
  function counted(page: Page) {
    let clicks = 0;
    return {
      click: async (role: Parameters<Page['getByRole']>[0], name: string | RegExp) => {
        clicks += 1;
        await page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name }).click();
      },
      count: () => clicks,
    };
  }

  test('from a query to an endpoint with parameters and a test, saved in dev, in six clicks', async () => {
    const sql = `SELECT id, timestamp, event_message FROM edge_logs WHERE timestamp BETWEEN '2020-01-01' AND '2100-01-01' AND project = '${project}' ORDER BY timestamp DESC`;
    const { page, complaints } = await started.open(`#/query/gateway.tables?sql=${encodeURIComponent(sql)}`);
    const user = counted(page);
    await user.click('link', 'Make an endpoint');
    await page.getByText('No errors.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('rows.between');
    await page.getByText('No errors.').waitFor();
    await user.click('button', 'Run it');
    await page.getByRole('grid').waitFor();
    expect((await cells(page))[0]).toBe('row-0');
    await page.getByText('Pick rows for a test').click();
    await user.click('button', 'Add as a test');
    await page.getByRole('textbox', { name: 'Test file' }).waitFor();
    await user.click('button', 'Save');
    await user.click('link', 'Open rows.between');
    await page.getByRole('heading', { name: 'rows.between' }).waitFor();
    // One more opened the rows to pick.
    expect(user.count() + 1).toBe(6);

    const text = await readFile(path.join(started.endpointsDir, 'rows.between.sql'), 'utf8');
    expect(text).toContain('name: rows.between');
    expect(text).toContain(
      'FROM logs.edge_logs WHERE timestamp BETWEEN @start AND @end AND project = @project',
    );
    expect(text).toMatch(/start: \{ type: TIMESTAMP, required: true, example: 2020-01-01T00:00:00Z \}/);
    const tests = await readFile(path.join(started.endpointsDir, 'rows.between.test.yaml'), 'utf8');
    expect(tests).toContain('id: row-0');
    expect(complaints).toEqual([]);
  });

  test('an endpoint is edited and tried, with its errors, completions and changes', async () => {
    const { page, complaints } = await started.open('#/endpoints/rows.of-project');
    const user = counted(page);
    await user.click('link', 'Edit');
    await page.getByText('No errors.').waitFor();
    await editor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' LIMIT nothing');
    await page.keyboard.press('Escape');
    await page.getByText(/1 error/).waitFor();
    for (let letter = 0; letter < 'nothing'.length; letter += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    await page.getByText('No errors.').waitFor();
    await user.click('button', 'Run it');
    await page.getByRole('grid').waitFor();
    expect((await cells(page)).filter((text) => text.startsWith('row-'))).toEqual(['row-0', 'row-1']);
    await user.click('tab', 'Changes');
    await page.getByText(/can only be removed|can differ/).waitFor();
    await page.getByRole('region', { name: 'Patch' }).getByText('LIMIT 2').waitFor();
    expect(await violations(page)).toEqual([]);
    // What is served is as it was.
    expect(await readFile(path.join(started.endpointsDir, 'rows.of-project.sql'), 'utf8')).toBe(served);
    expect(user.count()).toBe(3);
    expect(complaints).toEqual([]);
  });

  test('what is not saved is there when one comes back, until it is discarded', async () => {
    const { page, complaints } = await started.open('#/edit/rows.of-project');
    await page.getByText('No errors.').waitFor();
    await editor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('LIMIT 3');
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.goBack();
    await page.getByText('These are your changes that were not saved.').waitFor();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('region', { name: 'Patch' }).getByText('LIMIT 3').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.getByText('Nothing has changed.').waitFor();
    expect(await editor(page).innerText()).not.toContain('LIMIT 3');
    expect(complaints).toEqual([]);
  });

  test('why an endpoint is slow is on its page: how its calls were, and the plan of a run', async () => {
    for (let call = 0; call < 3; call += 1) {
      const path = `/api/endpoints/query/rows.of-project?project=${project}`;
      const answer = await fetch(`${started.gateway.url}${path}`, { headers: { 'X-API-KEY': key } });
      expect(answer.status).toBe(200);
    }
    const { page, complaints } = await started.open('#/endpoints/rows.of-project');
    const user = counted(page);
    // Calls are recorded some moments after they have ended.
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('tab', { name: 'Performance' }).click();
        await page.getByRole('button', { name: '24 hours' }).waitFor();
        await page
          .getByText(/No calls in this time|Slowest calls/)
          .first()
          .waitFor();
        return page.getByRole('table').first().isVisible();
      })
      .toBe(true);
    await page
      .getByText(/engine \d/)
      .first()
      .waitFor();
    await user.click('button', 'Measure a run');
    await page.getByText(/The run took/).waitFor();
    await page.locator('.plan-step').first().waitFor();
    expect(await page.locator('.plan-step').last().innerText()).toMatch(/scan/i);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    const picture = process.env.PICTURES;
    if (picture) await writeFile(`${picture}/performance.png`, await page.screenshot({ fullPage: true }));
  });

  test('names are completed and described by the gateway', async () => {
    const { page } = await started.open('#/edit/rows.of-project');
    await page.getByText('No errors.').waitFor();
    await editor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(', event_m');
    await page.getByRole('option', { name: /event_message/ }).waitFor();
    await page.keyboard.press('Escape');
    await editor(page).getByText('maxRows').hover();
    await page.locator('.cm-described').getByText(/rows/).first().waitFor();
  });
});
