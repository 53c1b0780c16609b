import { describe, expect, test } from 'vitest';
import { parseBytes } from '../../../src/base/forms/bytes.ts';
import { parseExpiry } from '../../../src/base/forms/expiry.ts';
import { parseRate } from '../../../src/base/forms/rate.ts';

const now = Date.UTC(2026, 10, 20, 12);
const day = 86_400_000;

describe('when a key expires', () => {
  test.each([
    ['90d', now + 90 * day],
    ['12h', now + day / 2],
    ['30m', now + 1_800_000],
    ['2w', now + 14 * day],
    ['2026-12-31', Date.UTC(2027, 0, 1)],
    ['2028-02-29', Date.UTC(2028, 2, 1)],
    ['2026-12-31T18:00:00Z', Date.UTC(2026, 11, 31, 18)],
    ['2026-12-31T18:00+02:00', Date.UTC(2026, 11, 31, 16)],
    ['2020-01-01', Date.UTC(2020, 0, 2)],
  ])('is read from %s', (text, time) => {
    expect(parseExpiry(text, now)).toBe(time);
  });

  test.each([
    '',
    '90',
    'd',
    '0d',
    '-1d',
    '1.5d',
    '90 d',
    '90D',
    '1y',
    '1d2h',
    '99999999d',
    '9999999d',
    '2026-02-31',
    '2026-13-01',
    '2026-1-1',
    '31.12.2026',
    '2026-12-31T18:00',
    '2026-12-31T25:00:00Z',
    '9999-01-01',
    'never',
    'Infinity',
  ])('is not read from "%s"', (text) => {
    expect(parseExpiry(text, now)).toBeUndefined();
  });
});

describe('a rate', () => {
  test('is a number by second, minute or hour', () => {
    expect(parseRate('10/s')).toEqual({ requests: 10, seconds: 1 });
    expect(parseRate('600/m')).toEqual({ requests: 600, seconds: 60 });
    expect(parseRate('5000/h')).toEqual({ requests: 5000, seconds: 3600 });
  });

  test.each([
    '',
    '10',
    '/s',
    '0/s',
    '-1/s',
    '1.5/s',
    '1e3/s',
    '10/d',
    '10/S',
    '10 / s',
    '10/ss',
    '10/constructor',
    '9999999999/s',
  ])('is not "%s"', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

describe('a number of bytes', () => {
  test.each([
    ['0', 0],
    ['5000000', 5_000_000],
    ['100GB', 100e9],
    ['100 GB', 100e9],
    ['1.5TiB', 1.5 * 2 ** 40],
    ['0.5KB', 500],
  ])('is read from %s', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  test.each([
    '',
    'GB',
    '-1',
    '1e9',
    '0x10',
    '100gb',
    '100XB',
    '1.',
    '.5',
    '0.0001KB',
    '9007199254740993',
    '9999999TB',
    '1__proto__',
  ])('is not read from "%s"', (text) => {
    expect(parseBytes(text)).toBeUndefined();
  });
});
