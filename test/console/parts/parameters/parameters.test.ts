import { expect, test } from 'vitest';
import type { Parameter } from '../../../../src/console/api/endpoints.ts';
import {
  addressPairs,
  initialValues,
  missingParameters,
  pairsOf,
  rangeParameters,
  rangeValues,
  withValue,
} from '../../../../src/console/parts/parameters/parameter-values.ts';

function parameter(name: string, others: Partial<Parameter> = {}): Parameter {
  return {
    ...{ name, type: 'STRING', required: false, default: null, values: null, example: null, description: '' },
    ...others,
  };
}

const none = new URLSearchParams();

test('examples are filled in, and required parameters have a value if there is one to propose', () => {
  const parameters = [
    parameter('project', { required: true, example: 'p' }),
    parameter('interval', { required: true, values: ['hourly', 'daily'] }),
    parameter('limit', { required: true, default: '20' }),
    parameter('optional', { default: 'x' }),
    parameter('free', { required: true }),
  ];
  const values = initialValues(parameters, none);
  expect([...values]).toEqual([
    ['project', 'p'],
    ['interval', 'hourly'],
    ['limit', '20'],
  ]);
  expect(missingParameters(parameters, values)).toEqual(['free']);
});

test('an address does not contain the key, whatever it was pasted into', () => {
  const pairs = [
    ['project', 'a'],
    ['ids', 'egw_key'],
    ['ids', '7'],
    ['lql', 'event_message:"egw_key"'],
  ] as const;
  expect(addressPairs(pairs, 'egw_key').toString()).toBe('project=a&ids=7');
});

test('an address says all values, those of arrays as often as they are there', () => {
  const parameters = [parameter('ids', { type: 'ARRAY<STRING>' }), parameter('project', { example: 'p' })];
  const values = initialValues(parameters, new URLSearchParams('ids=a&ids=b&other=1'));
  expect(pairsOf(values)).toEqual([
    ['ids', 'a'],
    ['ids', 'b'],
  ]);
});

test('an empty value is none', () => {
  expect([...withValue(new Map([['a', '1']]), 'a', '')]).toEqual([]);
});

test('a pair of times bounds the rows, by type or by description', () => {
  const described = { description: 'Only rows after this time (ISO 8601).' };
  const start = parameter('iso_timestamp_start', described);
  const end = parameter('iso_timestamp_end', described);
  const range = rangeParameters([parameter('project'), start, end]);
  expect(range).toEqual({ start, end });
  expect(range && rangeValues(range, { from: 0, to: 1500 })).toEqual([
    ['iso_timestamp_start', '1970-01-01T00:00:00.000Z'],
    ['iso_timestamp_end', '1970-01-01T00:00:01.500Z'],
  ]);
  const dates = rangeParameters([
    parameter('from', { type: 'DATE' }),
    parameter('until', { type: 'DATETIME' }),
  ]);
  expect(dates && rangeValues(dates, { from: 0, to: 0 })).toEqual([
    ['from', '1970-01-01'],
    ['until', '1970-01-01T00:00:00.000'],
  ]);
  expect(rangeParameters([start])).toBeUndefined();
  expect(rangeParameters([parameter('start'), parameter('end')])).toBeUndefined();
});
