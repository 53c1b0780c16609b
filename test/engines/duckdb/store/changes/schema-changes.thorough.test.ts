import { test } from 'vitest';
import { changeAtRandom } from './schema-changes.ts';

const seeds = Array.from({ length: 40 }, (_, i) => i + 5);

test.each(seeds)('many random changes of a source keep its rows (seed %i)', async (seed) => {
  await changeAtRandom(seed, 30);
});
