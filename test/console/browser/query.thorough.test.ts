import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

const project = 'fjrqomtzlwkgbxhvnuea';

describe.skipIf(isWithoutChromium)('the page Query of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start();
    const hours = Array.from({ length: 30 }, (_, index) => index);
    await started.addRows(
      'edge_logs',
      hours.map((hour) => ({
        project,
        id: `row-${hour}`,
        timestamp: new Date(Date.now() - hour * 3_600_000).toISOString(),
        event_message: `GET /rest/v1/${hour}`,
        metadata: [{ request: [{ path: '/rest/v1', method: 'GET' }], response: [{ status_code: 200 }] }],
      })),
    );
  });

  afterAll(() => started?.close());

  const editor = (page: Page, language = 'SQL') => page.getByRole('textbox', { name: language, exact: true });
  const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
  const cells = (page: Page) => page.getByRole('gridcell').allInnerTexts();
  const link = (query: string) => `#/query/logs.all?project=${project}&sql=${encodeURIComponent(query)}`;

  /** What the editor holds. Spaces may be no-break spaces. */
  const text = async (page: Page, language = 'SQL') =>
    (await editor(page, language).locator('.cm-line').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');

  async function write(page: Page, query: string) {
    await editor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(query);
  }

  test('from the key to rows and a chart in two clicks, and nothing but the gateway is asked', async () => {
    const { page, requests, complaints } = await started.open('', null);
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await run(page).click();
    await page.getByRole('grid').waitFor();
    expect((await cells(page)).slice(0, 2)).toEqual([expect.stringMatching(/^20.*:00:00Z$/), '1']);
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('img', { name: /row_count by hour/ }).waitFor();
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByText('--data-urlencode').waitFor();

    expect(complaints).toEqual([]);
    expect([...new Set(requests.map((request) => new URL(request).origin))]).toEqual([started.gateway.url]);
    expect(
      requests.filter((request) => request.includes('timestamp_trunc') || request.includes(key)),
    ).toEqual([]);
    await expect.poll(() => page.url()).toContain('sql=select+timestamp_trunc');
    expect(page.url()).not.toContain(key);
  });

  test('an estimate says how many bytes a query reads at most', async () => {
    const { page } = await started.open(link('SELECT COUNT(*) AS n FROM edge_logs WHERE id = "row-1"'));
    await page.getByRole('button', { name: 'Estimate', exact: true }).click();
    await page.getByText(/^Reads at most [\d.,]+ /).waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
  });

  test('nothing moves under a click while the editor is loaded', async () => {
    const { page } = await started.open('', key);
    await page.route(/code-editor/, async (route) => {
      await run(page).waitFor();
      places.push(await run(page).boundingBox());
      await route.continue();
    });
    const places: unknown[] = [];
    await page.evaluate((address) => {
      location.hash = address;
    }, link("-- a query\nselect *\nfrom edge_logs\nwhere id = 'a'"));
    await editor(page).waitFor();
    expect(places).toEqual([await run(page).boundingBox()]);
  });

  test('names are completed as one types, at the place of the cursor', async () => {
    const { page, complaints } = await started.open('#/query/logs.all');
    await editor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('select r. from edge_logs as t cross join unnest(t.metadata) as m, ');
    await page.getByRole('option', { name: 'unnest(m.request) as request' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('unnest(m.request) as r');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    for (let step = 0; step < 'select r.'.length; step += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('meth');
    await page.getByRole('option', { name: /method/ }).click();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('grid').waitFor();
    expect((await cells(page))[0]).toBe('GET');

    await page.getByRole('button', { name: 'LQL' }).click();
    await editor(page, 'LQL').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('f:edge_logs m.resp');
    // CodeMirror ignores a click while it looks for options again, which it does for each typed letter.
    const further = page.getByRole('option', { name: /status_code/ });
    await expect
      .poll(async () => {
        const option = page.getByRole('option', { name: /response/ });
        await option.click({ timeout: 1000 }).catch(() => undefined);
        return further.isVisible();
      })
      .toBe(true);
    await further.click();
    await page.keyboard.type('>=200');
    expect(await text(page, 'LQL')).toBe('f:edge_logs m.response.status_code:>=200');
    await page.keyboard.press('Control+Enter');
    await page.getByText('30 rows', { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('a nested field is inserted by a click, with what it needs around it', async () => {
    const { page, complaints } = await started.open('#/query/logs.all');
    await page.locator('summary', { hasText: 'Tables' }).click();
    for (const name of ['edge_logs', 'metadata', 'request', 'response'])
      await page.getByRole('button', { name: `Fields of ${name}`, exact: true }).click();
    await write(page, 'select');
    await page.getByRole('button', { name: 'method', exact: true }).first().click();
    await page.getByRole('button', { name: 'status_code', exact: true }).first().click();
    await editor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(' from edge_logs limit 1');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => cells(page)).toEqual(['GET', '200']);
    expect(complaints).toEqual([]);
  });

  test('an error is marked at its place, and a click goes there, also after changes above it', async () => {
    const { page } = await started.open('#/query/logs.all');
    await write(page, "select '😀',\n  nothing\nfrom edge_logs");
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('Unrecognized name: nothing').waitFor();
    expect(await page.locator('.cm-lintRange-error').innerText()).toBe('nothing');
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('-- why\n');
    await page.getByRole('button', { name: 'Go to line 2, column 3' }).click();
    await page.keyboard.press('Control+Shift+ArrowRight');
    await page.keyboard.type('id');
    expect(await text(page)).toBe("-- why\nselect '😀',\n  id\nfrom edge_logs");
    await page.getByRole('tab', { name: 'why', exact: true }).waitFor();

    await page.getByRole('button', { name: 'LQL' }).click();
    await editor(page, 'LQL').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('f:edge_logs m.nothing:1');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['nothing']);
  });

  test('the keyboard comes in and out, and runs; what a parameter lacks stands at its field', async () => {
    const { page } = await started.open('#/query/logs.all');
    await editor(page).click();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Run');
    await page.keyboard.press('Shift+Tab');
    // Whoever closes a list of completions that has not come yet goes on typing.
    await page.keyboard.press('Escape');
    await page.keyboard.type(' ');
    expect(await page.getByRole('grid').count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('grid').waitFor();
    await page.getByLabel('project').fill('');
    await run(page).click();
    await page.getByText('This parameter is required.').waitFor();
  });

  test('a long query shows that it runs, and can be cancelled', async () => {
    const { page } = await started.open('#/query/logs.all');
    // An answer that does not come: whether the engine is fast doesn't matter.
    await page.route('**/api/endpoints/query/**', () => {});
    await run(page).click();
    await page
      .getByRole('status')
      .getByText(/Running the query…\s+[2-9] s/)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled').waitFor();
    await page.unroute('**/api/endpoints/query/**');
    await run(page).click();
    await page.getByRole('grid').waitFor();
  });

  test('tabs, texts and the history survive a reload, and a tab of the history opens once', async () => {
    const { page } = await started.open('#/query/logs.all');
    await write(page, 'select count(*) as c from edge_logs');
    await run(page).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByLabel('Endpoint').and(page.locator(':visible')).selectOption('usage.api-counts');
    await expect.poll(() => text(page)).toContain('from chart_counts');
    await expect.poll(() => page.url()).toContain('#/query/usage.api-counts');
    await page.reload();
    await expect.poll(() => text(page)).toContain('from chart_counts');
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Query 1', 'Query 2']);

    await page.getByRole('tab', { name: 'Query 1' }).click();
    await page.getByRole('button', { name: 'Close this query' }).click();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Query 2']);
    for (let round = 0; round < 2; round += 1) {
      await page.getByRole('button', { name: 'History' }).click();
      await page.getByLabel('Search the history').fill('count edge');
      await page.getByRole('dialog').getByText('select count(*) as c').click();
      await expect.poll(() => text(page)).toBe('select count(*) as c from edge_logs');
    }
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Query 2', 'Query 3']);
    const stored = await page.evaluate(() => Object.entries(localStorage));
    expect(stored.map(([name]) => name)).toEqual([expect.stringMatching(/^query-history [\da-f]{32}$/)]);
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  test('a closed query is there again with two clicks, and its text with it', async () => {
    const { page, complaints } = await started.open('#/query/logs.all');
    await write(page, 'select 7 as seven from edge_logs');
    await page.getByRole('button', { name: 'Close this query' }).click();
    await expect.poll(() => text(page)).not.toContain('seven');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => text(page)).toBe('select 7 as seven from edge_logs');
    await page.getByRole('button', { name: 'Close this query' }).click();
    // Also when the message is gone, and after a reload.
    await page.reload();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await expect.poll(() => text(page)).toBe('select 7 as seven from edge_logs');
    expect(complaints).toEqual([]);
  });

  test('the history is there in another tab with the same key, not with another one, and can be cleared', async () => {
    const { page } = await started.open('#/query/logs.all');
    await write(page, 'select 8 as eight from edge_logs');
    await run(page).click();
    await page.getByRole('grid').waitFor();
    const open = async (given: string) => {
      const other = await page.context().newPage();
      await other.addInitScript((text) => sessionStorage.setItem('api-key', text), given);
      await other.goto(`${started.gateway.url}/#/query/logs.all`);
      await other.getByRole('button', { name: 'History' }).click();
      await other.getByText('kept in this browser').waitFor();
      return other;
    };
    const same = await open(key);
    await same.getByRole('dialog').getByText('eight').waitFor();
    const response = await fetch(`${started.gateway.url}/api/keys`, {
      ...{ method: 'POST', headers: { 'X-API-KEY': key } },
      body: JSON.stringify({ name: 'another', scopes: ['query'] }),
    });
    const another = await open(JSON.parse(await response.text()).key);
    expect(await another.getByRole('dialog').getByText('eight').count()).toBe(0);
    await same.getByRole('button', { name: 'Clear the history' }).click();
    await same.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => same.evaluate(() => localStorage.length)).toBe(0);
  });

  test('earlier rows stay, dimmed with the query that they belong to: after changes and a cancelled run', async () => {
    const { page } = await started.open('#/query/logs.all');
    await write(page, 'select 1 as first from edge_logs');
    await run(page).click();
    await page.getByRole('grid').waitFor();
    const note = page.locator('.earlier-note');
    expect(await note.innerText()).toBe('');
    await write(page, 'select 2 as second from edge_logs');
    await note.getByText('Results of the query before your changes: select 1 as first').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.route('**/api/endpoints/query/**', () => {});
    await run(page).click();
    await note.getByText('Running the query').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await note.getByText('Cancelled.').waitFor();
    expect(await cells(page)).toContain('1');
    await page.unroute('**/api/endpoints/query/**');
    await run(page).click();
    await expect.poll(() => cells(page)).toContain('2');
    await expect.poll(() => note.innerText()).toBe('');
    await write(page, 'select 3 as third, nothing from edge_logs');
    await run(page).click();
    await page.getByRole('alert').getByText('Unrecognized name: nothing').waitFor();
    await note.getByText('Results of the query before your changes: select 2 as second').waitFor();
    expect(await cells(page)).toContain('2');
  });

  test('two tables are joined and charted in five clicks, and the link shows the chart at once', async () => {
    const { page, complaints } = await started.open('#/query/logs.all?project=none');
    let clicks = 0;
    const click = (target: Locator) => {
      clicks += 1;
      return target.click();
    };
    await write(
      page,
      `select timestamp_trunc(e.timestamp, hour) as hour, if(mod(extract(hour from e.timestamp), 2) = 0, 'even', 'odd') as half,
  count(distinct p.id) as requests from edge_logs as e join edge_logs as p on p.id = e.id group by hour, half`,
    );
    await click(page.getByLabel('project'));
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(project);
    await click(run(page));
    await page.getByRole('grid').waitFor();
    await click(page.getByRole('tab', { name: 'Chart' }));
    await page.getByRole('img', { name: /requests by hour/ }).waitFor();
    clicks += 1;
    await page.getByLabel('Type').selectOption('area');
    expect(await page.getByRole('combobox', { name: /^Series/ }).inputValue()).toBe('half');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await click(page.getByRole('button', { name: 'Copy link' }));
    expect(clicks).toBe(5);

    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await started.open(new URL(link).hash);
    await other.page.getByRole('img', { name: /requests by hour/ }).waitFor();
    expect(await other.page.getByLabel('Type').inputValue()).toBe('area');
    expect(await violations(other.page)).toEqual([]);
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  test('a run is kept, to compare the next one with it', async () => {
    const { page } = await started.open('#/query/logs.all');
    await write(page, 'select 1 as first from edge_logs limit 1');
    await run(page).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'Keep beside' }).click();
    await write(page, 'select 2 as second from edge_logs limit 1');
    await run(page).click();
    const kept = page.getByRole('region', { name: 'Kept run' });
    await kept.getByText('select 1 as first').waitFor();
    await expect.poll(() => cells(page)).toEqual(['1', '2']);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Drop it' }).click();
    await expect.poll(() => cells(page)).toEqual(['2']);
  });

  test('a link opens its query without running it, and what is typed is in the next one', async () => {
    const { page, requests } = await started.open(`${link("select 'a&b=#%' as a")}&api_key=secret`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await expect.poll(() => text(page)).toBe("select 'a&b=#%' as a");
    await expect.poll(() => page.url()).not.toContain('secret');
    await page.getByLabel('project').fill(`${project}-${key}`);
    await editor(page).click();
    await page.keyboard.press('End');
    await page.keyboard.type(', 2 as b');
    await page.getByRole('button', { name: 'Copy link' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(copied).hash).toBe('#/query/logs.all?sql=select+%27a%26b%3D%23%25%27+as+a%2C+2+as+b');
    await expect.poll(() => page.url()).toBe(copied);
    expect(requests.filter((request) => request.includes('/api/endpoints/query/'))).toEqual([]);
  });

  test('100 KB, hostile rows and names, and addresses that nobody would write', async () => {
    const query = `select '${'x'.repeat(100_000)}' as a, '<img src=x onerror="window.hacked = 1">' as \`<b>\`, 1 as \`__proto__\``;
    const { page, complaints } = await started.open(link(query));
    await run(page).click();
    await page.getByRole('grid').waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['a', '<b>', '__proto__']);
    for (const hash of ['#/query/%E0%A4%A', '#/query/__proto__?lql=%00%ff', '#/query/nothing?sql=select+1']) {
      await page.evaluate((next) => {
        location.hash = next;
        // What the page does when one has stopped typing, at the worst time.
        history.replaceState(history.state, '', '#/query/logs.all');
      }, hash);
    }
    await page.getByText('There is no such endpoint').and(page.locator(':visible')).waitFor();
    expect(await run(page).isDisabled()).toBe(true);
    await page.getByLabel('Endpoint').and(page.locator(':visible')).selectOption('logs.all');
    await run(page).click();
    await page.getByRole('grid').waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i pixels, %s: no issue of accessibility, and nothing is cut off',
    async (width, colorScheme) => {
      const screen = { viewport: { width, height: 900 }, colorScheme };
      const { page } = await started.open('#/query/logs.all', key, screen);
      const check = async () => {
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      };
      await run(page).click();
      await page.getByRole('grid').waitFor();
      await page.locator('summary', { hasText: 'Tables' }).click();
      await page.getByRole('button', { name: 'Fields of edge_logs' }).click();
      await page.getByRole('button', { name: 'Fields of metadata' }).click();
      await write(page, "-- a\nselect r.path, @project, 1.5, 'text', nothing from edge_logs as r where r.");
      await page.keyboard.press('Control+Enter');
      await page.getByRole('alert').waitFor();
      await page.keyboard.press('Control+Space');
      await page.getByRole('listbox').waitFor();
      await check();
    },
  );
});
