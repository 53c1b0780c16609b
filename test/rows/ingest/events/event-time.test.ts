import { expect, test } from 'vitest';
import { JsonNumber } from '../../../../src/base/text/json-number.ts';
import { eventTime } from '../../../../src/rows/ingest/events/event-normaliser.ts';

const exact = 1_700_000_000_123_456n;

test.each([
  ['2023-11-14T22:13:20.123456Z', exact],
  ['2023-11-14T22:13:20.123456789Z', exact],
  ['2023-11-14T23:13:20.123456789+01:00', exact],
  ['2023-11-14 22:13:20.123456', exact],
  ['2023-11-14T22:13:20Z', 1_700_000_000_000_000n],
  ['2024-02-29T00:00:00.5Z', 1_709_164_800_500_000n],
  ['0001-01-01T00:00:00Z', -62_135_596_800_000_000n],
  ['9999-12-31T23:59:59.999999999Z', 253_402_300_799_999_999n],
  [1_700_000_000, 1_700_000_000_000_000n],
  [1_700_000_000.123456, exact],
  [1_700_000_000_123, 1_700_000_000_123_000n],
  [1_700_000_000_123.456, exact],
  [1_700_000_000_123_456, exact],
  [new JsonNumber('1700000000123456789'), exact],
  ['1700000000123456789', exact],
  ['1700000000', 1_700_000_000_000_000n],
  [804_556_800, 804_556_800_000_000n],
  [804_556_800_123, 804_556_800_123_000n],
])('%s', (value, micros) => {
  expect(eventTime(value).micros).toBe(micros);
});

test('is written as rows have it', () => {
  expect(eventTime('2023-11-14T22:13:20.5Z').text).toBe('2023-11-14T22:13:20.5Z');
  expect(eventTime(1_700_000_000.5).text).toBe('2023-11-14T22:13:20.500000');
});

test.each([
  ...['0000-01-01T00:00:00Z', '10000-01-01T00:00:00Z', '2023-02-29T00:00:00Z', '2023-11-14T24:00:00Z'],
  ...['now', '', true, {}, [], 0, 42, 20_240_209, 17_000_000_000, new JsonNumber('1e30'), Number.NaN, '1e10'],
])('%j is no time', (value) => {
  expect(() => eventTime(value)).toThrow('expected TIMESTAMP, got ');
});
