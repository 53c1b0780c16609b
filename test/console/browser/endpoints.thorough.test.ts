import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

const project = 'fjrqomtzlwkgbxhvnuea';

/** Endpoints whose rows are hard to show. */
const endpoints = {
  'many.rows': `/*
id: 11111111-1111-4111-8111-111111111111
name: many.rows
maxRows: 10000
cacheSeconds: 60
parameters:
  days: {type: INT64, default: 2, min: 1, max: 9}
  kinds: {type: ARRAY<STRING>}
  since: {type: TIMESTAMP}
  until: {type: TIMESTAMP}
*/
SELECT n AS number, TIMESTAMP_ADD(TIMESTAMP '2026-01-01', INTERVAL n MINUTE) AS time,
  MOD(n, 3) = 0 AS third, CONCAT('row ', CAST(n AS STRING)) AS text,
  [STRUCT(n AS a, [STRUCT('deep' AS b)] AS inside)] AS nested
FROM UNNEST(GENERATE_ARRAY(1, 10000)) AS n
WHERE @days > 0 AND ARRAY_LENGTH(@kinds) < 9
  AND (@since IS NULL OR TIMESTAMP_ADD(TIMESTAMP '2026-01-01', INTERVAL n MINUTE) >= @since)
  AND (@until IS NULL OR TIMESTAMP_ADD(TIMESTAMP '2026-01-01', INTERVAL n MINUTE) <= @until)
ORDER BY n`,
  'hostile.rows': `/*
id: 22222222-2222-4222-8222-222222222222
name: hostile.rows
description: '<img src=x onerror="window.hacked = true"> & <script>window.hacked = true</script>'
maxRows: 10
*/
SELECT '<img src=x onerror="window.hacked = true">' AS \`__proto__\`,
  CONCAT('a', CODE_POINTS_TO_STRING([0, 27, 10, 8238]), 'b') AS control,
  CONCAT(a, a, a, a, a) AS long, 9007199254740993 AS big
FROM (SELECT REPEAT('long ', 200000) AS a)`,
  'paged.rows': `/*
id: 55555555-5555-4555-8555-555555555555
name: paged.rows
maxRows: 12
parameters: {project: {required: true}}
*/
SELECT id, timestamp FROM logs.edge_logs WHERE project = @project ORDER BY timestamp DESC`,
  'no.rows': `/*
id: 33333333-3333-4333-8333-333333333333
name: no.rows
*/
SELECT 1 AS a FROM UNNEST(GENERATE_ARRAY(1, 0)) AS n`,
  'failing.query': `/*
id: 44444444-4444-4444-8444-444444444444
name: failing.query
parameters: {divisor: {type: INT64, required: true, max: 100}}
*/
SELECT DIV(@divisor, n) AS a FROM UNNEST([0]) AS n`,
};

describe.skipIf(isWithoutChromium)('the endpoints of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start(endpoints);
    const minutes = Array.from({ length: 30 }, (_, index) => index);
    await started.addRows(
      'edge_logs',
      minutes.map((minute) => ({
        project,
        id: `row-${minute}`,
        timestamp: new Date(Date.now() - minute * 60_000).toISOString(),
        event_message: `GET /rest/v1/${minute}`,
        metadata: [{ request: [{ path: '/rest/v1', url: `https://${project}.example.com/rest/v1` }] }],
      })),
    );
  });

  afterAll(() => started?.close());

  const grid = '[role="grid"]';

  test('a key, an endpoint, and there is its chart: with no request to anywhere else', async () => {
    const { page, requests, complaints } = await started.open('', null);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'usage.api-counts' }).click();
    await page.getByRole('img', { name: /total_rest_requests.* by timestamp/ }).waitFor();
    await page.locator(grid).waitFor();
    expect(await page.locator('.facts').first().innerText()).toMatch(
      /\d rows?\s+(from the engine|from the cache)/,
    );

    expect(complaints).toEqual([]);
    expect([...new Set(requests.map((request) => new URL(request).origin))]).toEqual([started.gateway.url]);
    expect(requests.filter((request) => request.includes(key))).toEqual([]);
    expect(page.url()).not.toContain(key);
  });

  test('a key that is wrong, and one that ends, are asked for again', async () => {
    const { page } = await started.open('', 'wrong');
    await page.getByRole('alert').getByText('does not accept this key').waitFor();
    await page.getByLabel('API key').fill('two words');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('API keys have no spaces').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'many.rows' }).waitFor();
    await page.getByRole('button', { name: /Change key/ }).click();
    await page.getByLabel('API key').waitFor();
  });

  test('address and form are one: other values of an endpoint in an open tab, back, forward, and a range by a click', async () => {
    const { page, complaints, requests } = await started.open('#/endpoints/many.rows?days=2');
    const days = page.getByLabel('days');
    await page.locator(grid).waitFor();
    expect(await page.title()).toBe('many.rows – endpoint-gateway');
    await page.goto(`${started.gateway.url}/#/endpoints/many.rows?days=3`);
    await expect.poll(() => days.inputValue()).toBe('3');
    await page.locator(grid).waitFor();
    await days.fill('4');
    await page.getByText('Results of the values before: days: 3').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => page.url()).toContain('days=4');
    await expect.poll(() => page.locator('.earlier-note').innerText()).toBe('');
    await page.goBack();
    await expect.poll(() => days.inputValue()).toBe('3');
    await page.goBack();
    await expect.poll(() => days.inputValue()).toBe('2');
    await page.goForward();
    await expect.poll(() => days.inputValue()).toBe('3');
    await page.getByRole('button', { name: 'yesterday' }).click();
    await page.getByText('No rows', { exact: true }).waitFor();
    // The address moves with the clock, the call has times.
    expect(page.url()).toContain('since=yesterday&until=yesterday');
    const asked = requests.filter((request) => request.includes('since='));
    expect(asked.at(-1)).toMatch(/since=20\d\d-\d\d-\d\dT00%3A00%3A00.000Z&until=20/);
    await page.reload();
    await page.getByText('No rows', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'yesterday' }).getAttribute('aria-pressed')).toBe('true');
    await days.fill('many');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    await page.locator('.earlier-note').getByText('Results of the values before: days: 3').waitFor();
    const colour = (name: string) =>
      days.evaluate((field, property) => getComputedStyle(field).getPropertyValue(property), name);
    expect(await colour('border-top-color')).toBe('rgb(179, 38, 30)');
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  });

  test('a gateway that refuses at first is asked again when it has said, and another key can be given', async () => {
    const { page } = await started.open('', null);
    let refusals = 0;
    await page.route('**/api/caller', (route) => {
      refusals += 1;
      return refusals > 2
        ? route.continue()
        : route.fulfill({
            ...{ status: 429, headers: { 'Retry-After': '1' }, contentType: 'application/json' },
            body: JSON.stringify({ error: 'Too many requests.', code: 'RATE_LIMITED' }),
          });
    });
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('The next attempt is in').waitFor();
    await page.getByRole('link', { name: 'many.rows' }).waitFor();
    expect(refusals).toBe(3);

    await page.unroute('**/api/caller');
    await page.route('**/api/caller', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await page.getByRole('button', { name: 'Use another key' }).click();
    await page.getByLabel('API key').waitFor();
  });

  test('a page whose code can’t be loaded says that the gateway can’t be reached, and tries again', async () => {
    const { page } = await started.open('');
    await page.getByRole('link', { name: 'many.rows' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByText('The gateway can’t be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'New key' }).waitFor();
  });

  test('the components stand on one page, in light and dark, without an issue of accessibility', async () => {
    const { page, complaints } = await started.open('#/kit');
    await page.getByRole('heading', { name: 'Components' }).waitFor();
    for (const colours of ['light', 'dark']) {
      await page.getByRole('button', { name: colours, exact: true }).click();
      expect(await violations(page)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Confirmation' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('thing');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('It could not be removed.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.content()).not.toContain('\u202e');
    expect(complaints).toEqual([]);
  });

  test('links go from each page to each other', async () => {
    const { page, complaints } = await started.open('#/query');
    for (const name of ['Live', 'Operations', 'Query', 'Operations', 'Live', 'Query', 'Endpoints', 'Live']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    }
    expect(complaints).toEqual([]);
  });

  test('the search finds endpoints by any word, and says if there is none', async () => {
    const { page } = await started.open('');
    await page.getByLabel('Search endpoints').fill('storage api');
    await expect.poll(() => page.locator('.endpoint').allInnerTexts()).toHaveLength(1);
    await page.getByLabel('Search endpoints').fill('nothing has this');
    await page.getByText('No endpoint matches').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('link', { name: 'logs.all' }).waitFor();
  });

  test('an answer that is cut off is continued in pages, until its last row', async () => {
    const { page, complaints } = await started.open(`#/endpoints/paged.rows?project=${project}`);
    const table = page.locator(grid);
    const more = page.getByRole('button', { name: 'Load more rows' });
    for (const rows of ['13', '25']) {
      await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(rows);
      await more.click();
    }
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('31');
    expect(await more.count()).toBe(0);
    expect(await page.locator('.facts').first().innerText()).toMatch(/^30 rows/);
    expect(await page.getByText('truncated').count()).toBe(0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('13');
    expect(complaints).toEqual([]);
  });

  test('ten thousand rows: few are in the page, all can be reached, sorted, filtered, opened and copied', async () => {
    const { page, complaints } = await started.open('#/endpoints/many.rows');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const table = page.locator(grid);
    await table.waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('10001');
    expect(await table.getByRole('row').count()).toBeLessThan(100);

    await table.focus();
    await page.keyboard.press('Control+End');
    await table.getByText('row 10000').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('inside').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('10000');

    await page.getByRole('columnheader', { name: 'number' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'number' }).getByRole('button').click();
    await expect.poll(() => table.getByRole('row').nth(1).innerText()).toMatch(/^10000\b/);
    await page.getByLabel('Filter many.rows').fill('row 99');
    await page.getByText('111 rows of 10,000 rows').waitFor();
    expect(complaints).toEqual([]);
  });

  test('values come from the address and go there; a span drawn in the chart becomes the parameters of time', async () => {
    const { page } = await started.open('#/endpoints/many.rows?days=3&kinds=a&kinds=b');
    expect(await page.getByLabel('days').inputValue()).toBe('3');
    expect(await page.getByLabel('kinds').inputValue()).toBe('a\nb');
    const chart = page.locator('.chart .u-over');
    const box = await chart.boundingBox();
    if (box === null) throw new Error('there is no chart');
    await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 50, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => page.url()).toMatch(/since=2026-01-02T.*until=2026-01-0[34]T/);
    await expect
      .poll(async () => Number(await page.locator(grid).getAttribute('aria-rowcount')))
      .toBeLessThan(3_000);
  });

  test('a link has the chart that was chosen, and a run is kept beside the next one', async () => {
    const first = await started.open('#/endpoints/many.rows?days=3');
    await first.page.getByLabel('Type').selectOption('lines');
    await expect.poll(() => first.page.url()).toContain('chart.type=lines&chart.x=time&chart.y=number');
    const { page, complaints } = await started.open(new URL(first.page.url()).hash);
    await expect.poll(() => page.getByLabel('Type').inputValue()).toBe('lines');

    await page.getByRole('button', { name: 'Keep beside' }).click();
    await page.getByRole('textbox', { name: /^until/ }).fill('2026-01-01T00:03:00Z');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const kept = page.getByRole('region', { name: 'Kept run' });
    await kept.getByText('days: 3', { exact: true }).waitFor();
    const rows = (at: number) => page.locator(grid).nth(at).getAttribute('aria-rowcount');
    await expect.poll(() => Promise.all([rows(0), rows(1)])).toEqual(['10001', '4']);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Drop it' }).click();
    await expect.poll(() => page.locator(grid).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('what is wrong with a value stands at its field, and what fails says why', async () => {
    const { page } = await started.open('#/endpoints/failing.query');
    await page.getByText('Not run yet').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('This parameter is required.').waitFor();
    await page.getByLabel('divisor').fill('500');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.parameter .mistake').getByText('at most 100').waitFor();
    await page.getByLabel('divisor').fill('1');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('The query failed').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  test('no rows, no endpoint and no page have their faces', async () => {
    const { page } = await started.open('#/endpoints/no.rows');
    await page.getByText('No rows', { exact: true }).waitFor();
    await page.goto(`${started.gateway.url}/#/endpoints/nothing`);
    await page.getByText('There is no endpoint "nothing"').waitFor();
    await page.goto(`${started.gateway.url}/#/no/such/page`);
    await page.getByText('There is no such page').waitFor();
  });

  test('a gateway that is gone is offline, and the next attempt succeeds', async () => {
    const { page } = await started.open('#/endpoints/usage.api-counts');
    await page.locator(grid).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Offline').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(grid).waitFor();
  });

  test('markup, control characters, 5 MB and a column named __proto__ are shown as they are', async () => {
    const { page, complaints } = await started.open('#/endpoints/hostile.rows');
    const table = page.locator(grid);
    await table.getByText('<img src=x onerror="window.hacked = true">').waitFor();
    await table.getByText('a\\x00\\x1b↵').waitFor();
    await table.getByText('9007199254740993').waitFor();
    await table.getByText(/^long long/).dblclick();
    await page.getByRole('dialog').getByText('4,900,000 more characters').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await page.goto(`${started.gateway.url}/#/`);
    await page.getByText('<script>window.hacked').waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('rows are downloaded in each format', async () => {
    const { page } = await started.open('#/endpoints/many.rows');
    await page.locator(grid).waitFor();
    for (const [format, ending] of [
      ['CSV', 'csv'],
      ['Parquet', 'parquet'],
      ['Arrow', 'arrows'],
    ] as const) {
      await page.getByLabel('Format of the download').selectOption(format);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download', exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`many.rows.${ending}`);
    }
  });

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i pixels, %s: no issue of accessibility, and nothing is cut off',
    async (width, colorScheme) => {
      const screen = { viewport: { width, height: 900 }, colorScheme };
      const { page } = await started.open('#/endpoints/usage.api-counts', key, screen);
      await page.locator(grid).waitFor();
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await violations(page)).toEqual([]);
      expect(await overflow()).toBeLessThanOrEqual(0);
      for (const tab of width === 390 ? ['Code'] : ['Columns', 'Definition']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await violations(page)).toEqual([]);
        expect(await overflow()).toBeLessThanOrEqual(0);
      }
      await page.goto(`${started.gateway.url}/#/`);
      await page.getByRole('link', { name: 'logs.all' }).waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await overflow()).toBeLessThanOrEqual(0);
    },
  );
});
