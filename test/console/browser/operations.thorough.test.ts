import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

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

    const purge = page.getByRole('button', { name: 'Purge the cached results of usage.api-counts' });
    await purge.dblclick();
    const dialog = page.getByRole('dialog', { name: 'Purge the cached results of usage.api-counts?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => purge.evaluate((button) => document.activeElement === button)).toBe(true);
    await purge.click();
    await dialog.getByRole('button', { name: 'Purge' }).click();
    const done = page.getByText('1 cached result purged.');
    await done.waitFor();
    await expect.poll(() => done.evaluate((note) => document.activeElement === note)).toBe(true);
    expect(complaints).toEqual([]);
  });

  /** Counts the clicks of a job. */
  function clickCounter() {
    let count = 0;
    return {
      click: async (target: Locator) => {
        count += 1;
        await target.click();
      },
      count: () => count,
    };
  }

  test('a key for a colleague takes seven clicks: one endpoint, a project that is known, a week', async () => {
    const { page, complaints } = await started.open('#/operations');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { click, count } = clickCounter();
    await click(page.getByRole('button', { name: 'New key' }));
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await click(dialog.getByLabel('Name'));
    await page.keyboard.type('colleague');
    await click(dialog.getByRole('button', { name: 'a week' }));
    await click(dialog.getByRole('checkbox', { name: 'logs.all' }));
    // From the rows of the source.
    await click(dialog.getByRole('button', { name: 'p', exact: true }));
    expect(await violations(page)).toEqual([]);
    await click(dialog.getByRole('button', { name: 'Make the key' }));
    const made = await dialog.locator('.made-key').innerText();

    // Nothing but its buttons closes it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await dialog.locator('.made-key').innerText()).toBe(made);
    await click(dialog.getByRole('button', { name: 'Copy and close' }));
    await page
      .getByRole('row', { name: /colleague active.* query endpoints logs\.all; projects p / })
      .waitFor();
    expect(count()).toBe(7);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made);
    expect(await page.content()).not.toContain(made);
    const status = async (project: string) => (await call(`logs.all?project=${project}`, made)).status;
    expect([await status('p'), await status('other')]).toEqual([200, 403]);
    const { keys } = JSON.parse(await keyList());
    const { expires, created } = keys.find(({ name }: { name: string }) => name === 'colleague');
    expect(Date.parse(expires) - Date.parse(created)).toBe(7 * 86_400_000);
    expect(complaints).toEqual([]);
  });

  const keyList = async () =>
    (await fetch(`${started.gateway.url}/api/keys`, { headers: { 'X-API-KEY': key } })).text();

  test('what is wrong with a key is said, and allowances are in the form', async () => {
    const { page } = await started.open('#/operations');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByRole('alert').getByText('name: expected').waitFor();
    await dialog.getByLabel('Name').fill('limited');
    await dialog.getByText('Limits and uploads').click();
    await dialog.getByLabel('Calls', { exact: true }).fill('10');
    await dialog.getByLabel('Calls, in each').selectOption('hour');
    await dialog.getByLabel('When one is spent').selectOption('slow');
    await dialog.getByLabel('Class').selectOption('background');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByRole('button', { name: 'Close without copying' }).click();
    await page
      .getByRole('row', { name: /limited active .*class background; calls=10\/hour; slow when spent/ })
      .waitFor();
  });

  test.each([1440, 1024, 390])(
    '%i pixels: a key is revoked when its name was typed, not by a double click',
    async (width) => {
      const response = await fetch(`${started.gateway.url}/api/keys`, {
        ...{ method: 'POST', headers: { 'X-API-KEY': key } },
        body: JSON.stringify({ name: `acme ${width}`, scopes: ['query'] }),
      });
      const { key: made } = JSON.parse(await response.text());
      const status = async () => (await call('logs.all?project=p', made)).status;
      const { page: restricted } = await started.open('#/operations', made);
      await restricted.getByText('No permission').waitFor();
      expect(await restricted.getByRole('link', { name: 'Operations' }).count()).toBe(0);

      const { page } = await started.open('#/operations', key, { viewport: { width, height: 800 } });
      const button = page.getByRole('button', { name: `Revoke the key acme ${width}` });
      await button.scrollIntoViewIfNeeded();
      // The name of the row stays in sight beside the button.
      const place = await page.getByRole('rowheader', { name: `acme ${width}` }).boundingBox();
      expect(place?.x).toBeGreaterThanOrEqual(0);
      await button.dblclick();
      const dialog = page.getByRole('dialog', { name: `Revoke the key acme ${width}?` });
      await dialog.getByText('Last used').waitFor();
      expect(await violations(page)).toEqual([]);
      const revoke = dialog.getByRole('button', { name: 'Revoke' });
      expect(await revoke.isDisabled()).toBe(true);
      // The second click may have been beside the field.
      await dialog.getByRole('textbox').focus();
      await page.keyboard.type('acme');
      await page.keyboard.press('Enter');
      expect(await status()).toBe(200);
      await page.keyboard.type(` ${width}`);
      await revoke.click();
      const done = page.getByText(`The key acme ${width} is revoked.`);
      await done.waitFor();
      await expect.poll(() => done.evaluate((note) => document.activeElement === note)).toBe(true);
      expect(await status()).toBe(401);
      await restricted.getByRole('link', { name: 'Endpoints' }).click();
      await restricted.getByLabel('API key').waitFor();
    },
  );

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i pixels, %s: no issue of accessibility, and nothing is cut off',
    async (width, colorScheme) => {
      const { page } = await started.open('#/operations', key, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      await page.getByRole('row', { name: /^edge_logs/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    },
  );
});
