import { expect, test } from 'vitest';
import { microsOfRowNumber } from '../../../../src/rows/ingest/encode/time-of-number.ts';

test.each([
  ['1700000000', 'seconds'],
  ['1700000000000', 'milliseconds'],
  ['1700000000000000', 'microseconds'],
  ['1700000000000000999', 'nanoseconds'],
])('%s is a time in %s', (count) => {
  expect(microsOfRowNumber(count)).toBe(1_700_000_000_000_000n);
});

test('so are counts of times before 2001', () => {
  expect(microsOfRowNumber('804571201')).toBe(804_571_201_000_000n);
  expect(microsOfRowNumber('804571201000')).toBe(804_571_201_000_000n);
});

test('eleven digits could be in several units', () => {
  expect(microsOfRowNumber('12345678901')).toBeUndefined();
});

test.each(['0', '-1', '-1700000000', '12345', '999999999999999', '253402300799999999'])(
  '%s is in microseconds, as the gateway writes it',
  (count) => {
    expect(microsOfRowNumber(count)).toBe(BigInt(count));
  },
);

test('seconds and milliseconds can have a fraction', () => {
  expect(microsOfRowNumber('1700000000.25')).toBe(1_700_000_000_250_000n);
  expect(microsOfRowNumber('1700000000.1234567')).toBe(1_700_000_000_123_456n);
  expect(microsOfRowNumber('1700000000000.5')).toBe(1_700_000_000_000_500n);
  for (const text of ['1.5', '1700000000.', '-1700000000.5']) expect(microsOfRowNumber(text)).toBeUndefined();
});
