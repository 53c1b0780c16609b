import { expect, test } from 'vitest';
import { parseFormat } from '../../../../../src/engines/duckdb/udf/format/specifier.ts';

test('zeros before a width are flags', () => {
  expect(parseFormat('%005d')).toEqual([{ flags: '00', width: 5, precision: undefined, conversion: 'd' }]);
  expect(parseFormat('%010.3f')).toEqual([{ flags: '0', width: 10, precision: 3, conversion: 'f' }]);
});

test('a specifier of many digits is read once', () => {
  for (const digit of ['0', '1']) {
    expect(() => parseFormat(`%${digit.repeat(1_000_000)}!`)).toThrow('Invalid FORMAT string');
  }
});
