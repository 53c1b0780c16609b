import { expect, test } from 'vitest';
import { javaDouble } from '../../../../../src/tools/emulators/bigquery/wire/results.ts';

test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [-1.5, '-1.5'],
  [0.001, '0.001'],
  [0.00012, '1.2E-4'],
  [1234567, '1234567.0'],
  [12345678, '1.2345678E7'],
  [1e300, '1.0E300'],
  [1795150800.123456, '1.795150800123456E9'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
])('floating point is written as Java does: %d', (value, text) => {
  expect(javaDouble(value)).toBe(text);
});
