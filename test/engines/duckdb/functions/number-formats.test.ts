import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

/** What the reference evaluator says about these formats is that it doesn't have them yet. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const resultOf = async (expression: string) => (await differential.actual(`select ${expression}`))[0]?.[0];

test.each([
  ['2021', 'RN', '          MMXXI'],
  ['2021', 'FMRN', 'MMXXI'],
  ['3888', 'rn', '  mmmdccclxxxviii'.trimStart()],
  ['3999', 'RNFM', 'MMMCMXCIX'],
  ['1', 'RN', '              I'],
  ['443.5', 'fmrn', 'cdxliv'],
  ["cast('0.5' as numeric)", 'FMRN', 'I'],
  ['cast(null as int64)', 'RN', null],
])('%s as %s is %s', async (number, format, written) => {
  expect(await resultOf(`cast(${number} as string format '${format}')`)).toBe(written);
});

test.each(['0', '0.4', '-1', '4000', '3999.5', "cast('nan' as float64)"])(
  '%s has no Roman numeral',
  async (number) => {
    await expect(resultOf(`cast(${number} as string format 'RN')`)).rejects.toThrow('between 1 and 3999');
    expect(await resultOf(`safe_cast(${number} as string format 'RN')`)).toBeNull();
  },
);

test('formats that BigQuery does not describe are refused', async () => {
  await expect(resultOf("cast(1 as string format 'TM9')")).rejects.toThrow(
    'Not supported: the format TM9 in a CAST of a number',
  );
  await expect(resultOf("(select safe_cast(1 as string format f) from unnest(['TME']) f)")).rejects.toThrow(
    'Not supported: the format TME',
  );
});
