import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

/** Two hours of three series: 10, 20 and 70 rows each. The last one has a hostile name. */
const stacks = `select timestamp_add(timestamp '2026-11-27 10:00:00', interval hour hour) as hour,
  area, if(area = 'auth', 10, if(area = 'rest', 20, 70)) as row_count
from unnest([0, 1, 2]) as hour, unnest(['auth', 'rest', 'a\\u202eb\\u0007']) as area order by hour`;

/** Each hour of the span has as many rows as its day of the month. */
const hours = `/*
id: 3d0b4f5e-8c5a-4e0e-9a55-0c7a1f6f1c11
name: hours.of-day
parameters:
  start: { type: TIMESTAMP, required: true }
  end: { type: TIMESTAMP, required: true }
*/
SELECT hour, EXTRACT(DAY FROM hour) AS row_count
FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(@start, TIMESTAMP_SUB(@end, INTERVAL 1 HOUR), INTERVAL 1 HOUR)) AS hour
ORDER BY hour`;

describe.skipIf(isWithoutChromium)('the charts of the console', () => {
  let started: ConsoleInChromium;

  beforeAll(async () => {
    started = await ConsoleInChromium.start({ 'hours.of-day': hours });
  });

  afterAll(() => started?.close());

  async function chartOf(query: string, screen: Parameters<ConsoleInChromium['open']>[2] = {}) {
    const address = `#/query/logs.all?project=fjrqomtzlwkgbxhvnuea&sql=${encodeURIComponent(query)}`;
    const { page, complaints } = await started.open(address, key, screen);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.locator('.uplot canvas').waitFor();
    return { page, complaints };
  }

  /** How many pixels of a column in the middle of the plot have each colour, as parts of what is not background. */
  const colours = (page: Page) =>
    page.locator('.uplot canvas').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas');
      const { width, height } = canvas;
      const { data = [] } =
        canvas.getContext('2d')?.getImageData(Math.round(width * 0.52), 0, 1, height) ?? {};
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const colour = [data[at], data[at + 1], data[at + 2]].join(' ');
        if (data[at + 3] === 255) counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      return Object.fromEntries([...counts].filter(([, count]) => count > 5));
    });

  test('a hidden series leaves the stack, and the others keep their colours', async () => {
    const { page, complaints } = await chartOf(stacks);
    const entry = (name: RegExp) => page.getByRole('list', { name: 'Series' }).getByRole('button', { name });
    expect(await page.getByRole('list', { name: 'Series' }).getByRole('button').allInnerTexts()).toEqual([
      expect.stringMatching(/auth\s+30/),
      expect.stringMatching(/rest\s+60/),
      expect.stringMatching(/a\\u202eb\\x07\s+210/),
    ]);
    await page.getByText('300 in total · UTC').waitFor();
    const before = await colours(page);
    expect(Object.keys(before)).toHaveLength(3);

    await entry(/^a/).last().click();
    await page.getByText('90 in total · UTC').waitFor();
    const after = await colours(page);
    // Two of the three colours, and each is three times as high as it was.
    expect(Object.keys(after)).toHaveLength(2);
    for (const [colour, height] of Object.entries(after)) {
      expect(height / (before[colour] ?? Number.NaN)).toBeCloseTo(100 / 30, 0);
    }
    await entry(/auth/).click({ modifiers: ['Alt'] });
    await page.getByText('30 in total · UTC').waitFor();
    await entry(/auth/).focus();
    await page.keyboard.press('Space');
    await page.getByText('0 in total · UTC').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('300 in total · UTC').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a chart is read as a table, and saved as an image', async () => {
    const { page, complaints } = await chartOf(stacks);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('region', { name: /Numbers of the chart/ });
    expect(await table.getByRole('row').first().innerText()).toBe('Time (UTC)\tauth\trest\ta\\u202eb\\x07');
    expect(await table.getByRole('row').nth(1).innerText()).toBe('2026-11-27 10:00:00\t10\t20\t70');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save PNG' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^row_count-by-hour-.*\.png$/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy image' }).click();
    await page.getByText('Copied.', { exact: true }).waitFor();
    const types = await page.evaluate(async () =>
      (await navigator.clipboard.read()).flatMap(({ types }) => types),
    );
    expect(types).toContain('image/png');
    expect(complaints).toEqual([]);
  });

  test('a drawn span zooms, and is left again', async () => {
    const { page } = await chartOf(stacks);
    const { x, y, width, height } = (await page.locator('.u-over').boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    await page.mouse.move(x + width * 0.4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(0, 0);
    await page.getByText('100 in total · UTC').waitFor();
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await page.getByText('300 in total · UTC').waitFor();
  });

  test('a chart is compared with the period before, which is drawn at the present times', async () => {
    const values = 'start=2026-11-20T00:00:00Z&end=2026-11-21T00:00:00Z';
    const { page, complaints } = await started.open(`#/endpoints/hours.of-day?${values}`);
    await page.locator('.uplot canvas').waitFor();
    const before = page.getByRole('button', { name: 'Against the period before' });
    await before.click();
    await page.getByText('2026-11-19 00:00:00 – 2026-11-20 00:00:00 UTC').waitFor();
    // 24 times 20 after 24 times 19.
    const series = page.getByRole('list', { name: 'Series' }).getByRole('button');
    await expect.poll(() => series.allInnerTexts()).toHaveLength(2);
    expect((await series.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'row_count 480',
      'before 456 (now +5.3 %)',
    ]);
    await before.click();
    await expect.poll(() => series.count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('forced colours leave a texture for each series', async () => {
    const { page } = await chartOf(stacks, { forcedColors: 'active' });
    const pixels = await page
      .locator('.legend-swatch')
      .evaluateAll((swatches) =>
        swatches.map((swatch) => (swatch instanceof HTMLCanvasElement ? swatch.toDataURL() : '')),
      );
    expect(pixels).toHaveLength(3);
    expect(new Set(pixels).size).toBe(3);
  });

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i pixels, %s: no serious issue of accessibility, and nothing is cut off',
    async (width, colorScheme) => {
      const { page } = await chartOf(stacks, { viewport: { width, height: 900 }, colorScheme });
      await page.getByRole('button', { name: 'Show as table' }).click();
      await page.getByRole('combobox', { name: 'X', exact: true }).selectOption('area');
      await page.getByRole('list', { name: /row_count by area/ }).waitFor();
      await page.getByRole('combobox', { name: 'X', exact: true }).selectOption('hour');
      await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('area');
      await page.locator('.uplot canvas').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    },
  );
});
