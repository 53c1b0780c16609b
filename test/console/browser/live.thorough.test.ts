import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

interface Made {
  readonly agoSeconds?: number;
  readonly status?: number;
}

describe.skipIf(isWithoutChromium)('the tails of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start();
  });

  afterAll(() => started?.close());

  /** Adds edge_logs rows of a project with these messages, later ones newer. */
  function add(
    project: string,
    messages: readonly string[],
    { agoSeconds = 0, status = 200 }: Made = {},
  ): Promise<void> {
    const last = Date.now() - agoSeconds * 1000;
    return started.addRows(
      'edge_logs',
      messages.map((message, index) => ({
        project,
        id: `${project}-${message}`,
        timestamp: new Date(last - messages.length + index).toISOString(),
        event_message: message,
        metadata: [{ request: [{ method: 'GET', path: '/a b' }], response: [{ status_code: status }] }],
      })),
    );
  }

  const numbered = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `${name} ${index}`);
  const messages = (page: Page) => page.locator('.live-message').allInnerTexts();
  const watch = (project: string, more = '') => `#/live/logs.all/edge_logs?project=${project}${more}`;

  test('rows appear on top as they arrive, hostile ones as they are, and a row opens with all its values', async () => {
    await add('first', ['there before']);
    const { page, complaints, requests } = await started.open('');
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByRole('combobox', { name: /^Table/ }).selectOption('edge_logs');
    await page.getByText('Parameters').click();
    await page.getByLabel(/^project/).fill('first');
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.getByText('there before').waitFor();
    await page.getByText('Live', { exact: true }).nth(1).waitFor();
    expect(page.url()).toContain(watch('first'));

    const hostile = [
      '<img src=x onerror="window.hacked = true">',
      'a\u0000\u001b\nb',
      'long '.repeat(100_000),
    ];
    await add('first', hostile, { status: 503 });
    await expect
      .poll(async () => (await messages(page)).map((text) => text.slice(0, 20)))
      .toEqual(['long long long long ', 'a\\x00\\x1b↵b', '<img src=x onerror="', 'there before']);
    expect(await page.locator('.severity-error .live-level').allInnerTexts()).toEqual(['503', '503', '503']);

    await page.getByRole('grid').focus();
    for (const stroke of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(stroke);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('first-a\\x00\\x1b').waitFor();
    await dialog.getByText('status_code').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy as JSON' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied)).toMatchObject({ event_message: hostile[1] });
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('grid');

    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(complaints).toEqual([]);
    expect(requests.filter((request) => request.includes(key))).toEqual([]);
    expect([...new Set(requests.map((request) => new URL(request).origin))]).toEqual([started.gateway.url]);
  });

  test('what one reads stands still while rows arrive, and so does a paused tail', async () => {
    await add('reading', numbered(200, 'old'));
    const { page } = await started.open(watch('reading'));
    const grid = page.getByRole('grid');
    await grid.getByText('old 199').waitFor();
    expect(await grid.getByRole('row').count()).toBeLessThan(100);
    await grid.evaluate((element) => element.scrollTo(0, 1000));
    const row = grid.getByText('old 150', { exact: true });
    const before = await row.boundingBox();
    await add('reading', numbered(3, 'new'));
    await page.getByRole('button', { name: '3 new rows' }).waitFor();
    expect(await row.boundingBox()).toEqual(before);
    await page.getByRole('button', { name: '3 new rows' }).click();
    await expect.poll(async () => (await messages(page))[0]).toBe('new 2');

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await add('reading', ['while it was paused']);
    await page.getByRole('button', { name: '1 new row' }).waitFor();
    expect((await messages(page))[0]).toBe('new 2');
    await page.getByRole('button', { name: 'Resume' }).click();
    await grid.getByText('while it was paused').waitFor();

    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No rows yet').waitFor();
    await add('reading', ['after all']);
    await expect.poll(() => messages(page)).toEqual(['after all']);
  });

  test('a span of the chart shows only its rows: drawn, by keys, and cleared', async () => {
    await add('brush', numbered(5, 'early'), { agoSeconds: 300 });
    await add('brush', numbered(2, 'late'));
    const { page } = await started.open(watch('brush'));
    await page.getByText('7 rows received').waitFor();
    const plot = await page.locator('.rate .u-over').boundingBox();
    if (plot === null) throw new Error('there is no chart');
    const y = plot.y + plot.height / 2;
    await page.mouse.move(plot.x + plot.width * 0.3, y);
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width * 0.7, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => messages(page)).toEqual(numbered(5, 'early').toReversed());
    await page.getByRole('button', { name: 'Clear span' }).click();
    await expect.poll(() => messages(page)).toHaveLength(7);

    await page.getByRole('group', { name: /Span of time/ }).focus();
    // The rows may be in the bar before the last one.
    for (const stroke of ['ArrowRight', 'ArrowLeft', 'Shift+ArrowRight']) await page.keyboard.press(stroke);
    await expect.poll(() => messages(page)).toEqual(['late 1', 'late 0']);
    await page.keyboard.press('Escape');
    await expect.poll(() => messages(page)).toHaveLength(7);
  });

  test('a value of a row becomes a filter, in the address too; what is wrong with a filter stands at its field', async () => {
    await add('filter', ['fine']);
    await add('filter', ['broken'], { status: 500 });
    const { page } = await started.open(watch('filter'));
    await page.getByText('broken').click();
    await page.getByRole('button', { name: 'Only rows without m.response.status_code:500' }).click();
    await expect.poll(() => messages(page)).toEqual(['fine']);
    const filter = page.getByLabel('Filter');
    expect(await filter.inputValue()).toBe('-m.response.status_code:500');
    await page.reload();
    await expect.poll(() => messages(page)).toEqual(['fine']);

    await filter.fill('m.request.pth:x');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('metadata.request has no field pth').waitFor();
    expect(await filter.getAttribute('aria-invalid')).toBe('true');
    await filter.fill('m.request.path:"/a b"');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages(page)).toEqual(['broken', 'fine']);
    expect(await filter.getAttribute('aria-invalid')).toBe('false');
  });

  test('live errors of a project, by path: eight clicks, from the filter to counts and to the page Query', async () => {
    await add('errors', ['fine']);
    await add('errors', ['broken', 'broken again'], { status: 500 });
    const { page, complaints } = await started.open(watch('errors'));
    await page.getByText('fine').waitFor();
    let clicks = 0;
    const click = (target: Locator) => {
      clicks += 1;
      return target.click();
    };
    const filter = page.getByLabel('Filter');
    await click(filter);
    await page.keyboard.type('m.resp');
    await click(page.getByRole('option', { name: /^response/ }));
    await click(page.getByRole('option', { name: /^status_code/ }));
    await expect.poll(() => filter.inputValue()).toBe('m.response.status_code:');
    await page.keyboard.type('>=500');
    await click(page.getByRole('button', { name: 'Watch', exact: true }));
    await expect.poll(() => messages(page)).toEqual(['broken again', 'broken']);
    await click(page.getByLabel('Columns'));
    await page.keyboard.type('m.response.status_code');
    await page.getByRole('columnheader', { name: 'm.response.status_code' }).waitFor();
    await click(page.getByLabel('Group by'));
    await page.keyboard.type('m.request.path');
    const group = page.getByRole('group', { name: 'Rows by m.request.path' }).getByRole('row').nth(1);
    expect(await group.innerText()).toMatch(/\/a b\s+2\s+500/);
    const shown = 'live.column=m.response.status_code&live.group=m.request.path';
    expect(page.url()).toContain(shown);
    await page.reload();
    await page.getByRole('columnheader', { name: 'm.response.status_code' }).waitFor();
    await group.waitFor();
    expect(await violations(page)).toEqual([]);
    await click(group.getByRole('button'));
    await expect.poll(() => filter.inputValue()).toBe('m.response.status_code:>=500 m.request.path:"/a b"');
    await expect.poll(() => messages(page)).toEqual(['broken again', 'broken']);
    await click(page.getByRole('link', { name: 'Open in Query' }));
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    expect(page.url()).toContain('lql=f%3Aedge_logs+m.response.status_code');
    expect(clicks).toBe(8);
    expect(complaints).toEqual([]);
  });

  test('the example of a filter works for each table', async () => {
    const { page } = await started.open('#/live/logs.all/edge_logs?project=example');
    const table = page.getByRole('combobox', { name: /^Table/ });
    await table.waitFor();
    const names = (await table.locator('option').allInnerTexts()).filter((name) => name !== 'its result');
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      await table.selectOption(name);
      await expect.poll(() => page.title()).toBe(`Live: ${name} – endpoint-gateway`);
      const filter = page.getByLabel('Filter');
      const example = (await filter.getAttribute('placeholder'))?.replace('LQL, for example: ', '') ?? '';
      await filter.fill(example);
      await filter.press('Enter');
      await page.getByText('No rows yet').waitFor();
      expect([name, await page.getByRole('alert').allInnerTexts()]).toEqual([name, []]);
    }
  });

  test('of an endpoint that counts, each result replaces the one before', async () => {
    const now = new Date().toISOString();
    const row = (id: string) => ({
      ...{ project: 'counts', id, timestamp: now, event_message: 'GET' },
      metadata: [{ request: [{ path: '/rest/v1/a', url: 'https://counts.example.com/rest/v1/a' }] }],
    });
    await started.addRows('edge_logs', [row('counts-1')]);
    const { page } = await started.open('#/endpoints/usage.api-counts?interval=daily&project=counts');
    await page.getByRole('link', { name: 'Watch live' }).click();
    const cells = () => page.getByRole('gridcell').allInnerTexts();
    await expect.poll(cells).toContain('1');
    const before = (await cells()).length;
    await started.addRows('edge_logs', [row('counts-2')]);
    await expect.poll(cells).toContain('2');
    expect(await cells()).toHaveLength(before);
    await page.getByText('2 results received').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('a gateway that is away is offline, and the tail goes on when it is back', async () => {
    const { page } = await started.open(watch('away'));
    await page.getByText('No rows yet').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.getByText('Offline:').waitFor();
    await page.getByText(/Next attempt in/).waitFor();
    await page.context().setOffline(false);
    await page.getByText('No rows yet').waitFor();
    await add('away', ['back']);
    await page.getByText('back').waitFor();
  });

  test('a key that is revoked while it watches is asked for again', async () => {
    const { key: own, id } = await keys('POST', '', { name: 'watcher', scopes: ['query'] });
    await add('revoked', ['seen']);
    const { page } = await started.open(watch('revoked'), own);
    await page.getByText('seen').waitFor();
    await keys('DELETE', `/${id}`);
    await page.getByLabel('API key').waitFor();
    await page.getByRole('alert').getByText('does not accept this key').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('api-key'))).toBeNull();
  });

  async function keys(method: string, path: string, body?: object): Promise<{ key: string; id: string }> {
    const response = await fetch(`${started.gateway.url}/api/keys${path}`, {
      method,
      headers: { 'X-API-KEY': key },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  }

  test('what there is not to watch has its face', async () => {
    const { page } = await started.open('#/live/nothing');
    await page.getByText('There is no endpoint "nothing" to watch').waitFor();
    await page.getByLabel('Endpoint').selectOption('logs.all');
    await page.getByRole('button', { name: 'Watch' }).waitFor();
    await page.goto(`${started.gateway.url}/#/live/logs.all/nothing`);
    await page.getByText('logs.all has no table "nothing" to watch').waitFor();
  });

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i pixels, %s: no issue of accessibility, and nothing is cut off',
    async (width, colorScheme) => {
      await add('screen', ['one with <b>', 'long '.repeat(200)], { status: 404 });
      await add('screen', ['fails'], { status: 500 });
      const screen = { viewport: { width, height: 900 }, colorScheme };
      const { page } = await started.open(watch('screen'), key, screen);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.getByText('fails').first().waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.getByText('fails').first().click();
      await page.getByRole('dialog').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await overflow()).toBeLessThanOrEqual(0);
    },
  );
});
