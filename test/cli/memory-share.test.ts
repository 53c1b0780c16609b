import { expect, test } from 'vitest';
import { countedMemory } from '../../src/cli/engine/memory-share.ts';

test.each([
  ['2GB', '1500000KB'],
  ['512MiB', '402653KB'],
  ['1.5 gib', '1207959KB'],
  ['1KB', '1KB'],
])('of %s, DuckDB is told to count to %s', (limit, counted) => {
  expect(countedMemory(limit)).toBe(counted);
});
