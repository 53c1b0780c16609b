import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

const query = `select n as number, to_hex(md5(cast(n as string))) as digest,
  timestamp_add(timestamp '2026-11-27', interval n second) as time, cast(n / 8 as numeric) as price,
  ${Array.from({ length: 20 }, (_, index) => `n as n${index}`).join(', ')}
from unnest(generate_array(1, 950)) as n order by n`;

describe.skipIf(isWithoutChromium)('the tables of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start();
  });

  afterAll(() => started?.close());

  async function table(text: string, width: number) {
    const address = `#/query/logs.all?project=fjrqomtzlwkgbxhvnuea&sql=${encodeURIComponent(text)}`;
    const { page } = await started.open(address, key, { viewport: { width, height: 900 } });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('grid').waitFor();
    return page;
  }

  /** The texts of cells and heads in view that are cut off. */
  const cut = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('[role="gridcell"], [role="columnheader"] button')]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.textContent),
    );

  test('no value is cut that fits, in any row', async () => {
    // A table that looks at its first rows only cuts the text of row 900.
    const few = `select n as number, timestamp_add(timestamp '2026-11-27', interval n second) as time,
      cast(n / 8 as numeric) as price, if(n = 900, repeat('long ', 12), 'short') as event_message
      from unnest(generate_array(1, 950)) as n order by n`;
    const page = await table(few, 1440);
    expect(await cut(page)).toEqual([]);
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 890 * 30));
    await page.getByRole('gridcell', { name: 'long long' }).waitFor();
    expect(await cut(page)).toEqual([]);
    const right = await page
      .getByRole('gridcell', { name: '112.5', exact: true })
      .evaluate((cell) => getComputedStyle(cell).textAlign);
    expect(right).toBe('end');
  });

  test('numbers and dates are whole where there is no room, and columns far to the right are reached', async () => {
    const page = await table(query, 390);
    expect(await cut(page)).toEqual([]);
    await page.getByRole('grid').focus();
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight');
    await page.getByRole('gridcell', { name: '2026-11-27T00:00:01Z' }).waitFor();
    expect(await cut(page)).toEqual([]);
    await page.keyboard.press('End');
    await page.keyboard.press('Control+End');
    const last = page.locator('[aria-rowindex="951"] [aria-colindex="24"]');
    await expect.poll(() => last.innerText()).toBe('950');
    expect(await last.getAttribute('aria-selected')).toBe('true');
    expect(await violations(page)).toEqual([]);
  });

  test('a cut cell tells its whole text', async () => {
    const page = await table(
      `select repeat('word ', 40) as a, repeat('word ', 40) as b, 'a\\u202eb' as c`,
      700,
    );
    const cell = page.getByRole('gridcell').first();
    await cell.hover();
    expect(await cell.getAttribute('title')).toBe('word '.repeat(40));
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(10_000, 0));
    await page.getByRole('gridcell', { name: 'a\\u202eb' }).hover();
    expect(await page.getByRole('gridcell', { name: 'a\\u202eb' }).getAttribute('title')).toBeNull();
  });
});
