import { expect, test } from 'vitest';
import { countedMemory, mostMemory } from '../../src/engine-process/memory-share.ts';

test.each([
  ['2GB', '1274400KB'],
  ['512MiB', '220947KB'],
  ['1.5 gib', '994041KB'],
  ['512MB', '203040KB'],
])('of %s, DuckDB is told to count to %s', (limit, counted) => {
  expect(countedMemory(limit)).toBe(counted);
});

test('the process may take the limit and 250 MB, less what is kept free', () => {
  expect(mostMemory('1GB')).toBeLessThan(1.25e9);
  expect(mostMemory('1GB')).toBeGreaterThanOrEqual(1e9);
  expect(mostMemory('10GB')).toBe(10.25e9 - 1.2e9);
});

test('with the smallest limit, queries are not stopped for what ordinary load takes, which leaves what is kept free', () => {
  const most = mostMemory('512MB');
  expect(most).toBe(600e6);
  expect(most).toBeLessThan(762e6 - 150e6);
});
