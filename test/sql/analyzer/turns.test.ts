import { expect, test } from 'vitest';
import { Turns } from '../../../src/sql/analyzer/turns.ts';

test('so much goes on at the same time, the rest in its order, whatever becomes of what was before', async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const runs = works.map(({ promise }, i) =>
    turns.run(() => {
      begun.push(i);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  works[1]?.reject(new Error('failed'));
  await expect(runs[1]).rejects.toThrow('failed');
  expect(begun).toEqual([0, 1, 2]);
  works[0]?.resolve();
  works[2]?.resolve();
  works[3]?.resolve();
  await Promise.all([runs[0], runs[2], runs[3]]);
  expect(begun).toEqual([0, 1, 2, 3]);
  await expect(turns.run(async () => 'free again')).resolves.toBe('free again');
});
