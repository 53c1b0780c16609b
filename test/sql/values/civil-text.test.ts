import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  daysSinceEpoch,
  parseDate,
  parseDatetime,
  parseTime,
  readDate,
} from '../../../src/sql/values/civil-text.ts';

describe('the text of a DATE, TIME or DATETIME', () => {
  test.each([
    [parseDate, '2025-1-3', '2025-01-03'],
    [parseDate, '0099-12-31', '0099-12-31'],
    [parseTime, '7:05:9', '07:05:09'],
    [parseTime, '23:59:59.5', '23:59:59.500000'],
    [parseTime, '00:00:00.000000', '00:00:00'],
    [parseDatetime, '2025-01-31', '2025-01-31T00:00:00'],
    [parseDatetime, '2025-01-31 4:05:06.000001', '2025-01-31T04:05:06.000001'],
    [parseDatetime, '2025-01-31t04:05:06', '2025-01-31T04:05:06'],
  ])('%o gives %s one form', (parse, text, form) => {
    expect(parse(text)).toBe(form);
  });

  test.each([
    [parseDate, '2025-02-30'],
    [parseDate, '2025-01-31T00:00:00'],
    [parseDate, '20250131'],
    [parseTime, '24:00:00'],
    [parseTime, '10:00'],
    [parseTime, '10:00:00Z'],
    [parseDatetime, '2025-01-31T10:00:00Z'],
    [parseDatetime, '2025-01-31T'],
    [parseDatetime, '2025-01-31T10:00:00.1234567'],
  ])('%o refuses %s', (parse, text) => {
    expect(parse(text)).toBeUndefined();
  });

  test('counts days as Date does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), (days) => {
        const text = new Date(days * 86_400_000).toISOString().slice(0, 10);
        const date = readDate(text);
        expect(date && daysSinceEpoch(date)).toBe(days);
        expect(parseDate(text)).toBe(text);
      }),
    );
  });
});
