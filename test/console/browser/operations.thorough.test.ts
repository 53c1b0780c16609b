import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, seriousViolations } from './console-in-chromium.ts';

describe.skipIf(isWithoutChromium)('the operations of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start();
    await started.addRows('edge_logs', [
      { project: 'p', id: 'one', timestamp: new Date().toISOString(), event_message: 'hello' },
    ]);
    await call('usage.api-counts?interval=daily&project=p');
    await call('usage.api-counts?interval=daily&project=p');
    await call('usage.api-counts?interval=never&project=p');
  });

  afterAll(() => started?.close());

  const call = (target: string, apiKey = key) =>
    fetch(`${started.gateway.url}/api/endpoints/query/${target}`, { headers: { 'X-API-KEY': apiKey } });

  test('the numbers of endpoints and sources are there, and results are purged', async () => {
    const { page, complaints } = await started.open('#/operations');
    const row = page.getByRole('row', { name: /usage\.api-counts/ });
    await row.waitFor();
    await expect.poll(() => row.innerText()).toMatch(/\b2\b.*50 %.*1 BAD_USER_INPUT/s);
    await page.getByRole('row', { name: /^edge_logs 1 / }).waitFor();

    await page.getByRole('button', { name: 'Purge the cached results of usage.api-counts?' }).click();
    await page.getByRole('button', { name: /Yes$/ }).click();
    await page.getByText('1 cached result purged.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a key is made, works as it says, and is revoked', async () => {
    const { page } = await started.open('#/operations');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByRole('alert').getByText('name: expected').waitFor();
    await dialog.getByLabel('Name').fill('acme');
    await dialog.getByLabel('Projects').fill('p, q');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const made = await dialog.locator('.made-key').innerText();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /acme active query projects p, q/ }).waitFor();
    expect(await page.content()).not.toContain(made);
    const status = async (project: string) => (await call(`logs.all?project=${project}`, made)).status;
    expect([await status('p'), await status('other')]).toEqual([200, 403]);

    const { page: restricted } = await started.open('#/operations', made);
    await restricted.getByText('No permission').waitFor();
    expect(await restricted.getByRole('link', { name: 'Operations' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Revoke the key acme?' }).click();
    await page.getByRole('button', { name: /Yes$/ }).click();
    await page.getByRole('row', { name: /acme revoked/ }).waitFor();
    expect(await status('p')).toBe(401);
    await restricted.getByRole('link', { name: 'Endpoints' }).click();
    await restricted.getByLabel('API key').waitFor();
  });

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i pixels, %s: no serious issue of accessibility, and nothing is cut off',
    async (width, colorScheme) => {
      const { page } = await started.open('#/operations', key, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      await page.getByRole('row', { name: /^edge_logs/ }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    },
  );
});
