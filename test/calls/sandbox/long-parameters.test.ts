import { expect, test } from 'vitest';
import { openWorld } from './support/world.ts';

test('a long parameter that stands in a query very often is refused before SQL is made of it', async () => {
  await using world = await openWorld();
  const values = { project: 'x'.repeat(1_000_000) };
  expect((await world.ask('select length(@project) as n', { values })).rows).toEqual([[1_000_000n]]);
  const lengths = Array.from({ length: 200 }, (_, i) => `length(concat(@project, id, '${i}')) as n${i}`);
  const asked = world.ask(`select ${lengths.join(', ')} from edge_logs`, { values });
  await expect(asked).rejects.toThrow('too large for the engine');
});
