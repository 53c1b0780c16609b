import { test } from 'vitest';
import { changeAtRandom } from './schema-changes.ts';

test.each([1, 2, 3, 4])(
  'random changes of a source keep its rows as the model has them (seed %i)',
  async (seed) => {
    await changeAtRandom(seed, 12);
  },
);
