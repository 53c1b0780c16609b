import fc from 'fast-check';
import { formatDecimal } from '../../../src/sql/values/value-text.ts';

/** Integers around those at which their text or their form in memory changes. */
export const numbers: readonly bigint[] = [
  ...[0n, 9n, 10n, 10n ** 9n, 2n ** 32n, 2n ** 53n, 10n ** 18n, 2n ** 63n - 1n].flatMap((at) =>
    [at - 1n, at, at + 1n].filter((each) => each < 2n ** 63n).flatMap((each) => [each, -each]),
  ),
  -(2n ** 63n),
];

/** The range of TIMESTAMP and DATETIME, in microseconds since 1970-01-01. */
export const times = { min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n };

/** Texts of decimal numbers of the whole range. */
export function decimals(kind: 'NUMERIC' | 'BIGNUMERIC'): fc.Arbitrary<string> {
  const [scale, max, min] =
    kind === 'NUMERIC' ? [9, 10n ** 38n - 1n, -(10n ** 38n) + 1n] : [38, 2n ** 255n - 1n, -(2n ** 255n)];
  return fc
    .oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n, -1n, 10n ** BigInt(scale)))
    .map((units) => formatDecimal(units, scale));
}
