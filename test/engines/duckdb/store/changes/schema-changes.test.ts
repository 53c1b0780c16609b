import { test } from 'vitest';
import { changeAtRandom } from './schema-changes.ts';

test.each([
  ['events', 1],
  ['events', 2],
  ['reference', 4],
  ['reference', 5],
] as const)(
  'random changes of a source keep its rows as the model has them (%s, seed %i)',
  async (kind, seed) => {
    await changeAtRandom(kind, seed, 12);
  },
);
