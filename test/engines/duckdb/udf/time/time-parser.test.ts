import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readByModel } from '../../../../../src/engines/duckdb/udf/time/format-model-parser.ts';
import { TimeParser } from '../../../../../src/engines/duckdb/udf/time/time-parser.ts';
import { writeTime } from '../../../../../src/engines/duckdb/udf/time/time-writer.ts';
import { civilOfInstant, instantOfCivil } from '../../../../../src/engines/duckdb/udf/time/time-zone.ts';

const day = (text: string) => BigInt(Date.parse(`${text}T00:00:00Z`)) * 1000n;
const parse = (format: string, text: string) => new TimeParser(format, text, 'UTC').instant();

/** Microseconds of the years 1000 to 9999: those before have fewer digits. */
const instants = fc.bigInt({ min: day('1000-01-01'), max: day('9999-12-30') });
const zones = fc.constantFrom(
  'UTC',
  '+05:30',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
);

describe('weeks with weekdays, which the reference evaluator does not read', () => {
  test.each([
    ['%Y %U %w', '2024 10 1', '2024-03-11'],
    ['%Y %U %A', '2024 10 Sunday', '2024-03-10'],
    ['%Y %W %a', '2024 10 sun', '2024-03-10'],
    ['%Y %W %u', '2024 10 1', '2024-03-04'],
    ['%G-W%V-%u', '2020-W53-7', '2021-01-03'],
    ['%G-W%V', '2024-W05', '2024-01-29'],
  ])('%s reads %s', (format, text, expected) => {
    expect(parse(format, text)).toBe(day(expected));
  });

  test('a week that the year has not is refused', () => {
    expect(() => parse('%G-W%V', '2024-W53')).toThrow('Invalid ISO week 53 specified for ISO year 2024');
    expect(() => parse('%Y %U', '2024 54')).toThrow('Failed to parse input string "2024 54"');
  });
});

test('names of months are read by a cast with a format', () => {
  const now = day('2026-11-20');
  expect(readByModel('05 mar 2024', 'DATE', 'DD MON YYYY', 'UTC', now)).toBe(day('2024-03-05'));
  expect(readByModel('March 05, 2024', 'DATE', 'MONTH DD, YYYY', 'UTC', now)).toBe(day('2024-03-05'));
});

test('formatted times parse to the same value', () => {
  const formats = fc.constantFrom(
    '%F %H:%M:%E*S %z',
    '%d %B %Y %I:%M:%E6S %p %Ez',
    '%s',
    '%Y-%j %T %Ez',
    '%D %C %R %z',
    '%c %Ez',
  );
  fc.assert(
    fc.property(instants, formats, zones, (instant, format, zone) => {
      const text = writeTime(format, 'TIMESTAMP', instant, zone);
      const read = new TimeParser(format, text, 'UTC').instant();
      expect(writeTime(format, 'TIMESTAMP', read, zone)).toBe(text);
    }),
  );
});

test('an instant comes back from its civil time, unless clocks were set back', () => {
  fc.assert(
    fc.property(instants, zones, (instant, zone) => {
      const civil = civilOfInstant(instant, zone);
      const back = instantOfCivil(civil, zone);
      expect(back <= instant).toBe(true);
      expect(civilOfInstant(back, zone)).toBe(civil);
    }),
  );
});
