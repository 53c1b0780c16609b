import { expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

test('a correlation of values whose squares vanish in FLOAT64 is refused', async () => {
  await using differential = await Differential.start();
  const query = (values: string) => differential.folded(`select corr(x, x) from unnest([${values}]) x`);
  await expect(query('1e-200, 2e-200, 4e-200')).rejects.toThrow('CORR of values below 1e-120 in size');
  await expect(query('1e-30, 2e-30, 4e-30')).resolves.toEqual([[1]]);
  await expect(query('0.0, 0')).resolves.toEqual([[Number.NaN]]);
});
