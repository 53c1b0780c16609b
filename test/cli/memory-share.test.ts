import { expect, test } from 'vitest';
import { countedMemory, mostMemory } from '../../src/cli/engine/memory-share.ts';

test.each([
  ['2GB', '1274400KB'],
  ['512MiB', '220947KB'],
  ['1.5 gib', '994041KB'],
  ['512MB', '203040KB'],
])('of %s, DuckDB is told to count to %s', (limit, counted) => {
  expect(countedMemory(limit)).toBe(counted);
});

test('the process may take the limit and 250 MB, less what is kept free, and what is cached', () => {
  expect(mostMemory('1GB', 0)).toBeLessThan(1.25e9);
  expect(mostMemory('1GB', 0)).toBeGreaterThanOrEqual(1e9);
  expect(mostMemory('10GB', 0)).toBe(10.25e9 - 1.2e9);
  expect(mostMemory('1GB', 100e6) - mostMemory('1GB', 0)).toBe(150e6);
});

test('with the smallest limit, queries are not stopped for what ordinary load takes, which leaves what is kept free', () => {
  const most = mostMemory('512MB', 0);
  expect(most).toBe(600e6);
  expect(most).toBeLessThan(762e6 - 150e6);
});
