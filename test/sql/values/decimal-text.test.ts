import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '../../../src/sql/values/decimal-text.ts';

describe('a decimal text', () => {
  test.each([
    ['1', '1'],
    ['+1.50', '1.5'],
    ['-0.0', '0'],
    ['0', '0'],
    ['000', '0'],
    ['007', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['100', '100'],
    ['1e3', '1000'],
    ['12.5E-2', '0.125'],
    ['1.0000000000000', '1'],
    ['0.000000001', '0.000000001'],
    ['0e9999', '0'],
    ['99999999999999999999999999999.999999999', '99999999999999999999999999999.999999999'],
    ['-99999999999999999999999999999.999999999', '-99999999999999999999999999999.999999999'],
  ])('%s is the NUMERIC %s', (text, value) => {
    expect(parseDecimal(text, 'NUMERIC')).toBe(value);
  });

  test.each([
    '',
    '.',
    '+',
    'e5',
    '1e',
    '1,5',
    '0x10',
    ' 1',
    'NaN',
    '1e9999',
    '1e-10',
    '0.0000000001',
    '1e29',
  ])('%j is not a NUMERIC', (text) => {
    expect(parseDecimal(text, 'NUMERIC')).toBeUndefined();
  });

  test('reaches the bounds of BIGNUMERIC and not beyond', () => {
    const largest = '578960446186580977117854925043439539266.34992332820282019728792003956564819967';
    const beyond = '578960446186580977117854925043439539266.34992332820282019728792003956564819968';
    expect(parseDecimal(largest, 'BIGNUMERIC')).toBe(largest);
    expect(parseDecimal(beyond, 'BIGNUMERIC')).toBeUndefined();
    expect(parseDecimal(`-${beyond}`, 'BIGNUMERIC')).toBe(`-${beyond}`);
  });

  test('keeps every digit', () => {
    const wholePart = fc.bigInt({ min: 1n, max: 10n ** 29n - 1n });
    const fraction = fc.stringMatching(/^\d{0,8}[1-9]$/);
    fc.assert(
      fc.property(wholePart, fraction, (whole, digits) => {
        expect(parseDecimal(`-${whole}.${digits}`, 'NUMERIC')).toBe(`-${whole}.${digits}`);
        expect(parseDecimal(`${whole}${digits}e-${digits.length}`, 'NUMERIC')).toBe(`${whole}.${digits}`);
      }),
    );
  });
});
