import { test } from 'vitest';
import { changeAtRandom } from './schema-changes.ts';

const runs = Array.from({ length: 40 }, (_, i) => [i % 2 === 0 ? 'events' : 'reference', i + 6] as const);

test.each(runs)('many random changes of a source keep its rows (%s, seed %i)', async (kind, seed) => {
  await changeAtRandom(kind, seed, 30);
});
