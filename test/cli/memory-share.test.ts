import { expect, test } from 'vitest';
import { countedMemory, mostMemory } from '../../src/cli/engine/memory-share.ts';

test.each([
  ['2GB', '1496000KB'],
  ['512MiB', '325496KB'],
  ['1.5 gib', '1184490KB'],
  ['256MB', '100800KB'],
])('of %s, DuckDB is told to count to %s', (limit, counted) => {
  expect(countedMemory(limit)).toBe(counted);
});

test('the process may take the limit and 250 MB, less what is kept free, and what is cached', () => {
  expect(mostMemory('1GB', 0)).toBeLessThan(1.25e9);
  expect(mostMemory('1GB', 0)).toBeGreaterThan(1.1e9);
  expect(mostMemory('1GB', 100e6) - mostMemory('1GB', 0)).toBe(150e6);
});
