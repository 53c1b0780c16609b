import { expect, it } from 'vitest';
import { measureMcp } from '../../../bench/parts/mcp.ts';
import { tinyStore } from '../tiny-store.ts';

it('compares tool calls with REST, from the cache and run on the engine', async () => {
  await using store = await tinyStore();
  const counts = { warmUps: 1, measured: 3 };
  const findings = await measureMcp({ ...store, packageDir: '.', environment: process.env, ...counts });
  expect(findings.map(({ what }) => what)).toEqual(['from the cache', 'run on the engine']);
  for (const { detail } of findings) expect(detail).toMatch(/^100 rows; REST /);
});
