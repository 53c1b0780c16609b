import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { Differential } from './differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const textOf = (elements: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...elements), { maxLength }).map((parts) => parts.join(''));

/** The elements that may stand anywhere, at some place of a format. */
const withFlags = (format: fc.Arbitrary<string>, flags: readonly string[]) =>
  fc
    .tuple(
      format,
      fc.array(fc.tuple(fc.constantFrom(...flags), fc.double({ min: 0, max: 1, noNaN: true })), {
        maxLength: 3,
      }),
    )
    .map(([text, added]) =>
      added.reduce((result, [flag, place]) => {
        const parts = result.match(/EEEE|MI|PR|FM|./gi) ?? [];
        parts.splice(Math.floor(place * (parts.length + 1)), 0, flag);
        return parts.join('');
      }, text),
    );

const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const back = fc.constantFrom('', '', 'S', 'MI', 'PR', 'mi');

const formats = fc.oneof(
  textOf([...'09XxDdGgSsLCcVB.,$', 'MI', 'PR', 'EEEE', 'eeee', 'FM', 'q'], 7),
  withFlags(joined(fc.constantFrom('', 'S'), textOf(['X', 'x', '0'], 17), back), ['FM']),
  withFlags(
    joined(
      fc.constantFrom('', '', 'S', 's'),
      textOf(['9', '9', '0', ',', 'G'], 9),
      fc.constantFrom('', '.', 'D', 'V'),
      textOf(['0', '9'], 5),
      fc.constantFrom('', '', 'EEEE', 'eeee'),
      back,
    ),
    ['FM', '$', 'C', 'c', 'L', 'B'],
  ),
);

const units = (max: bigint) =>
  fc.oneof(fc.bigInt({ min: -1000n, max: 1000n }), fc.bigInt({ min: -max, max }));
const decimals = (max: bigint, scale: number) =>
  fc.tuple(units(max), fc.integer({ min: 0, max: scale })).map(([value, places]) => `${value}e-${places}`);

const numbers: Readonly<Record<string, fc.Arbitrary<string>>> = {
  INT64: units(2n ** 63n - 1n).map(String),
  FLOAT64: fc.oneof(
    fc.double().map((value) => String(value).replace('Infinity', 'inf')),
    decimals(10n ** 12n, 9),
  ),
  NUMERIC: decimals(10n ** 28n, 9),
  BIGNUMERIC: decimals(10n ** 38n, 38),
};

const listOf = (texts: readonly string[]) => texts.map((each) => `'${each}'`).join(', ');

for (const [type, values] of Object.entries(numbers)) {
  test(`numbers of type ${type} are formatted as by the reference evaluator`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(formats, { minLength: 10, maxLength: 30 }),
        fc.array(values, { minLength: 10, maxLength: 20 }),
        async (manyFormats, manyValues) => {
          const sql = `select safe_cast(cast(v as ${type}) as string format f)
            from unnest([${listOf(manyFormats)}]) f with offset i, unnest([${listOf(manyValues)}]) v with offset j order by i, j`;
          expect(await differential.folded(sql)).toEqual(await differential.expected(sql));
        },
      ),
      { numRuns: 20 * effort },
    );
  });
}
