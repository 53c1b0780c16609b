import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  maxTimestampMicros,
  minTimestampMicros,
  parseTimestamp,
} from '../../../src/sql/values/timestamp-text.ts';
import { computedMs } from '../../support/computed-ms.ts';

const halfPastTen = 1_738_319_400_000_000n;

describe('a timestamp text', () => {
  test.each([
    ['2025-01-31', 1_738_281_600_000_000n],
    ['2025-01-31T10:30:00Z', halfPastTen],
    ['2025-01-31t10:30:00z', halfPastTen],
    ['2025-01-31 10:30:00', halfPastTen],
    ['2025-01-31 10:30:00 UTC', halfPastTen],
    ['2025-01-31 10:30:00UTC', halfPastTen],
    ['2025-01-31 10:30:00+00', halfPastTen],
    ['2025-01-31T16:00:00+05:30', halfPastTen],
    ['2025-01-31T16:00:00 +05:30', halfPastTen],
    ['2025-01-31T16:00:00+0530', halfPastTen],
    ['2025-01-31T02:30:00-8', halfPastTen],
    ['2025-2-1T00:30:00+14:00', halfPastTen],
    ['2025-1-31 10:30:0.5', halfPastTen + 500_000n],
    ['2025-01-31T10:30:00.000001Z', halfPastTen + 1n],
    ['2000-02-29T00:00:00Z', 951_782_400_000_000n],
    ['1969-12-31T23:59:59.999999Z', -1n],
    ['0001-01-01T00:00:00Z', minTimestampMicros],
    ['9999-12-31T23:59:59.999999Z', maxTimestampMicros],
  ])('%s is %d µs', (text, micros) => {
    expect(parseTimestamp(text)).toBe(micros);
  });

  test.each([
    ['', 'nothing'],
    ['yesterday', 'a word'],
    ['1738319400000000', 'an integer'],
    ['2025-01-31T10:30Z', 'no seconds'],
    ['2025-01-31Z', 'a zone without a time'],
    ['2025-02-29', 'a day that the year lacks'],
    ['1900-02-29', 'a leap day that the century lacks'],
    ['2025-04-31', 'a day that the month lacks'],
    ['2025-13-01', 'a thirteenth month'],
    ['2025-00-10', 'month zero'],
    ['0000-01-01', 'year zero'],
    ['12025-01-01', 'five digits of a year'],
    ['2025-01-31T24:00:00Z', 'hour 24'],
    ['2025-01-31T10:60:00Z', 'minute 60'],
    ['2016-12-31T23:59:60Z', 'a leap second'],
    ['2025-01-31T10:30:00.1234567Z', 'a tenth of a microsecond'],
    ['2025-01-31T10:30:00.Z', 'a point without digits'],
    ['2025-01-31T10:30:00+14:01', 'an offset beyond fourteen hours'],
    ['2025-01-31T10:30:00+05:60', 'an offset of sixty minutes'],
    ['2025-01-31T10:30:00 05:30', 'an offset without its sign'],
    ['2025-01-31T10:30:00 Europe/Paris', 'the name of a zone'],
    ['2025-01-31  10:30:00', 'two spaces'],
    [' 2025-01-31', 'a leading space'],
    ['2025-01-31T10:30:00Z ', 'a trailing space'],
    ['2025-01-31T10:30:00Z\n', 'a trailing newline'],
    ['٢٠٢٥-٠١-٣١', 'digits of another script'],
    ['0001-01-01T00:00:00+00:01', 'an instant before year 1'],
    ['9999-12-31T23:59:59-00:01', 'an instant after year 9999'],
  ])('%j is refused: %s', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test('gives the instant that Date gives, to the millisecond, in any offset', () => {
    const year2 = new Date('0002-01-01T00:00:00Z');
    const year9998 = new Date('9998-12-31T00:00:00Z');
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(13), fc.nat(59));
    fc.assert(
      fc.property(
        fc.date({ min: year2, max: year9998, noInvalidDate: true }),
        offset,
        (date, [sign, h, m]) => {
          const zone = `${sign}${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`;
          const text = date.toISOString().replace('Z', zone);
          expect(parseTimestamp(text)).toBe(BigInt(Date.parse(text)) * 1000n);
        },
      ),
    );
  });

  test('is read in time that grows no faster than its length', () => {
    const started = computedMs();
    expect(parseTimestamp(`2025-01-31T${' '.repeat(1_000_000)}`)).toBeUndefined();
    expect(parseTimestamp(`2025-01-31T${'1'.repeat(1_000_000)}Z`)).toBeUndefined();
    expect(computedMs() - started).toBeLessThan(5000);
  });
});
