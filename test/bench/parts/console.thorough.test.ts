import { expect, it } from 'vitest';
import { measureConsole } from '../../../bench/parts/console.ts';
import { isWithoutChromium } from '../../support/chromium.ts';
import { tinyStore } from '../tiny-store.ts';

it.skipIf(isWithoutChromium)('opens the console, sorts a table, and scrolls it to its end', async () => {
  await using store = await tinyStore();
  const counts = { opened: 1, scrolledMs: 500 };
  const findings = await measureConsole({ ...store, packageDir: '.', environment: process.env, ...counts });
  expect(findings.map(({ what }) => what)).toEqual([
    'first load',
    'first contentful paint',
    'sorting a table',
    'sorting a table',
    'sorting a table',
    'scrolling a table',
  ]);
});
