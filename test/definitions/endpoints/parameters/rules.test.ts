import { describe, expect, test } from 'vitest';
import { coerceParameters } from '../../../../src/definitions/endpoints/parameters/coerce.ts';
import type {
  EndpointParameter,
  GivenValue,
} from '../../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import { parameterType } from '../../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';

type Rules = Partial<Omit<EndpointParameter, 'name' | 'type'>>;

function coerce(type: string, rules: Rules, given: GivenValue) {
  const parameter = { name: 'p', type: parameterType(type), required: false, ...rules };
  return coerceParameters({ parameters: [parameter] }, new Map([['p', given]])).get('p');
}

describe('a value is within its bounds, which are allowed themselves', () => {
  test.each([
    ['INT64', '-5', '10', ['-5', '10', '+07'], ['-6', '11', '9223372036854775807']],
    ['FLOAT64', '0.5', '1e3', ['0.5', '1000', '999.9'], ['0.4999', '1000.1', 'inf', '-inf', 'nan']],
    ['NUMERIC', '-1.5', '100', ['-1.5', '100.0', '0', '99.999999999'], ['-1.500000001', '100.1', '1e28']],
    ['BIGNUMERIC', '9', '10', ['9', '10', '9.5'], ['8.99999999999999999999999999999999999999', '11', '-9.5']],
    [
      'DATE',
      '2025-01-31',
      '2025-2-5',
      ['2025-01-31', '2025-02-05'],
      ['2025-01-30', '2025-02-06', '2024-12-31'],
    ],
    [
      'DATETIME',
      '2025-01-31',
      '2025-01-31 10:00:00',
      ['2025-01-31', '2025-01-31T9:59:59.9'],
      ['2025-01-31T10:00:00.000001'],
    ],
    ['TIME', '9:00:00', '10:00:00', ['9:00:00', '10:00:00'], ['10:00:00.000001', '08:59:59.9']],
    [
      'TIMESTAMP',
      '2025-01-01',
      '2025-01-02T00:00:00Z',
      ['2025-01-02T01:00:00+01:00'],
      ['2025-01-01T00:00:00+01:00', '2025-01-02T00:00:00-01'],
    ],
  ])('%s from %s to %s', (type, min, max, inside, outside) => {
    for (const text of inside) expect(() => coerce(type, { min, max }, text)).not.toThrow();
    for (const text of outside)
      expect(() => coerce(type, { min, max }, text)).toThrow(/ must be at (least|most) /);
  });
});

test.each<[type: string, rules: Rules, given: GivenValue, message: string]>([
  ['INT64', { min: '1' }, '0', 'Parameter "p" must be at least 1 (min), not "0".'],
  ['INT64', { max: '1' }, '2', 'Parameter "p" must be at most 1 (max), not "2".'],
  ['STRING', { pattern: '[a-z]+' }, 'A', 'Parameter "p" must match the pattern [a-z]+, not "A".'],
  ['STRING', { pattern: '[a-z]+' }, '', 'Parameter "p" must match the pattern [a-z]+, not "".'],
  ['STRING', { maxLength: 1 }, 'é😀', 'Parameter "p" may have at most 1 character (maxLength), got "é😀".'],
  ['BYTES', { maxLength: 2 }, 'AAAA', 'Parameter "p" may have at most 2 bytes (maxLength), got "AAAA".'],
  ['ARRAY<INT64>', { min: '1' }, ['1', '0'], 'Parameter "p", element 2 must be at least 1 (min), not "0".'],
  [
    'ARRAY<STRING>',
    { values: ['a', 'b'] },
    ['a', 'c'],
    'Parameter "p", element 2 must be one of a, b, not "c".',
  ],
  [
    'ARRAY<INT64>',
    { maxItems: 2 },
    ['1', '2', '3'],
    'Parameter "p" may have at most 2 elements (maxItems), got 3.',
  ],
  ['ARRAY<BOOL>', {}, ['true', ''], 'Parameter "p", element 2: expected true or false, got "".'],
  ['ARRAY<INT64>', { required: true }, [], 'Parameter "p" is required.'],
  ['ARRAY<INT64>', { required: true }, null, 'Parameter "p" is required.'],
])('of %s with %j, %j is refused by parameter, rule and value', (type, rules, given, message) => {
  const error = { code: 'BAD_USER_INPUT', message, details: { parameter: 'p' } };
  expect(() => coerce(type, rules, given)).toThrow(expect.objectContaining(error));
});

test('lengths count characters and bytes, not units of an encoding', () => {
  expect(coerce('STRING', { maxLength: 2 }, '😀é')).toBe('😀é');
  expect(coerce('BYTES', { maxLength: 2 }, 'AAA=')).toBe('AAA=');
});

test('an array keeps the order and the duplicates of its elements, each parsed by its type', () => {
  expect(coerce('ARRAY<INT64>', {}, ['2', '1', '+2'])).toEqual([2n, 1n, 2n]);
  expect(coerce('ARRAY<STRING>', {}, ['', 'a', ''])).toEqual(['', 'a', '']);
  expect(coerce('ARRAY<FLOAT64>', {}, ['nan', '-0'])).toEqual([Number.NaN, -0]);
});

test('an absent array has no elements', () => {
  expect(coerce('ARRAY<INT64>', {}, null)).toEqual([]);
  expect(coerce('ARRAY<INT64>', {}, [])).toEqual([]);
});

describe('the default', () => {
  test('is the value of what is absent, or empty without being free text', () => {
    expect(coerce('INT64', { default: '7' }, null)).toBe(7n);
    expect(coerce('INT64', { default: '7' }, '')).toBe(7n);
    expect(coerce('STRING', { default: 'x' }, null)).toBe('x');
    expect(coerce('STRING', { default: 'x', values: ['x'] }, '')).toBe('x');
    expect(coerce('ARRAY<INT64>', { default: ['1', '2'] }, null)).toEqual([1n, 2n]);
  });

  test('is not used for a given value, an empty text or an empty array among them', () => {
    expect(coerce('INT64', { default: '7' }, '8')).toBe(8n);
    expect(coerce('STRING', { default: 'x' }, '')).toBe('');
    expect(coerce('ARRAY<INT64>', { default: ['1'] }, [])).toEqual([]);
  });
});
