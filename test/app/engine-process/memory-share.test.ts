import { expect, test } from 'vitest';
import { countedMemory } from '../../../src/app/engine-process/open-duckdb.ts';

test.each([
  [2e9, '1274400KB'],
  [1e9, '554400KB'],
  [512e6, '204800KB'],
  [100e6, '40000KB'],
])('of %s bytes, DuckDB is told to count to %s', (limit, counted) => {
  expect(countedMemory(limit)).toBe(counted);
});
