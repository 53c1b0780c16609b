import { expect, it } from 'vitest';
import { measureConsole } from '../../../bench/parts/console.ts';
import { isWithoutChromium } from '../../support/chromium.ts';
import { tinyStore } from '../tiny-store.ts';

it.skipIf(isWithoutChromium)('opens the console, and scrolls a table to its end', async () => {
  await using store = await tinyStore();
  const counts = { opened: 1, scrolledMs: 500 };
  const findings = await measureConsole({ ...store, packageDir: '.', environment: process.env, ...counts });
  expect(findings.map(({ what }) => what)).toEqual([
    'first load',
    'first contentful paint',
    'scrolling a table',
  ]);
});
