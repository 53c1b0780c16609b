import { expect, test } from 'vitest';
import { microsOfNumber, microsOfSeconds } from '../../../../src/rows/ingest/encode/time-of-number.ts';

test.each([
  [1_700_000_000n, 'seconds'],
  [1_700_000_000_000n, 'milliseconds'],
  [1_700_000_000_000_000n, 'microseconds'],
  [1_700_000_000_000_000_999n, 'nanoseconds'],
])('%d is a time in %s', (count) => {
  expect(microsOfNumber(count)).toBe(1_700_000_000_000_000n);
});

test.each([123_456_789n, 12_345_678_901n, 999_999_999_999n])('%d could be in several units', (count) => {
  expect(microsOfNumber(count)).toBeUndefined();
});

test.each([0n, -1n, -1_700_000_000n, 12_345n, 999_999_999_999_999n, 253_402_300_799_999_999n])(
  '%d is in microseconds, as the gateway writes it',
  (count) => {
    expect(microsOfNumber(count)).toBe(count);
  },
);

test('seconds can have a fraction', () => {
  expect(microsOfSeconds('1700000000.25')).toBe(1_700_000_000_250_000n);
  expect(microsOfSeconds('1700000000.1234567')).toBe(1_700_000_000_123_456n);
  for (const text of ['1.5', '1700000000', '1700000000.', '-1700000000.5', '1700000000000.5'])
    expect(microsOfSeconds(text)).toBeUndefined();
});
