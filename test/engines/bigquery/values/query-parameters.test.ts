import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ParameterType,
  type ParameterValue,
  type QueryParameter,
  queryParameters,
} from '../../../../src/engines/bigquery/values/query-parameters.ts';
import { parseDecimal } from '../../../../src/sql/values/decimal-text.ts';
import { parseTimestamp } from '../../../../src/sql/values/timestamp-text.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { types, valueOfType } from './support/arbitrary-value.ts';

function sent(type: SqlType, value: Value): QueryParameter {
  const [parameter] = queryParameters(new Map([['p', type]]), new Map([['p', value]]), ['p']);
  return JSON.parse(JSON.stringify(parameter));
}

test.each<[SqlType, Value, string | null]>([
  [{ kind: 'STRING' }, "it's {{projectId}} @x", "it's {{projectId}} @x"],
  [{ kind: 'STRING' }, null, null],
  [{ kind: 'STRING' }, '', ''],
  [{ kind: 'BOOL' }, false, 'false'],
  [{ kind: 'INT64' }, 9_223_372_036_854_775_807n, '9223372036854775807'],
  [{ kind: 'FLOAT64' }, -0, '-0'],
  [{ kind: 'FLOAT64' }, Number.NaN, 'NaN'],
  [{ kind: 'FLOAT64' }, Number.NEGATIVE_INFINITY, '-Infinity'],
  [{ kind: 'TIMESTAMP' }, -1n, '1969-12-31 23:59:59.999999+00:00'],
  [{ kind: 'TIMESTAMP' }, -62_135_596_800_000_000n, '0001-01-01 00:00:00+00:00'],
  [{ kind: 'TIMESTAMP' }, 253_402_300_799_999_999n, '9999-12-31 23:59:59.999999+00:00'],
  [{ kind: 'DATETIME' }, '2026-11-20T09:00:00.100000', '2026-11-20T09:00:00.100000'],
  [{ kind: 'DATE' }, '0001-01-01', '0001-01-01'],
  [{ kind: 'TIME' }, '09:00:00', '09:00:00'],
  [{ kind: 'NUMERIC' }, '-1.5', '-1.5'],
  [{ kind: 'BYTES' }, '3q2+7w==', '3q2+7w=='],
  [{ kind: 'JSON' }, '{"a":1}', '{"a":1}'],
  [{ kind: 'INTERVAL' }, '1-2 3 4:5:6.700', '1-2 3 4:5:6.700'],
])('%j %s', (type, value, text) => {
  expect(sent(type, value)).toEqual({
    name: 'p',
    parameterType: { type: type.kind },
    parameterValue: { value: text },
  });
});

test('arrays and records', () => {
  const type: SqlType = {
    kind: 'ARRAY',
    element: {
      kind: 'STRUCT',
      fields: [
        { name: 'n', type: { kind: 'INT64' } },
        { name: 'tags', type: { kind: 'ARRAY', element: { kind: 'STRING' } } },
      ],
    },
  };
  expect(sent(type, [[1n, ['a', null]]])).toEqual({
    name: 'p',
    parameterType: {
      type: 'ARRAY',
      arrayType: {
        type: 'STRUCT',
        structTypes: [
          { name: 'n', type: { type: 'INT64' } },
          { name: 'tags', type: { type: 'ARRAY', arrayType: { type: 'STRING' } } },
        ],
      },
    },
    parameterValue: {
      arrayValues: [
        {
          structValues: { n: { value: '1' }, tags: { arrayValues: [{ value: 'a' }, { value: null }] } },
        },
      ],
    },
  });
});

test('only the parameters that are used are sent', () => {
  const declared = new Map<string, SqlType>([
    ['a', { kind: 'STRING' }],
    ['B', { kind: 'INT64' }],
  ]);
  const values = new Map<string, Value>([
    ['a', 'x'],
    ['B', 1n],
  ]);
  expect(queryParameters(declared, values, new Set(['B'])).map(({ name }) => name)).toEqual(['B']);
});

test.each<[SqlType, Value]>([
  [{ kind: 'ARRAY', element: { kind: 'STRING' } }, null],
  [{ kind: 'STRUCT', fields: [{ name: 'a', type: { kind: 'STRING' } }] }, null],
  [{ kind: 'STRUCT', fields: [{ name: '', type: { kind: 'STRING' } }] }, ['x']],
  [
    {
      kind: 'STRUCT',
      fields: [
        { name: 'a', type: { kind: 'STRING' } },
        { name: 'A', type: { kind: 'STRING' } },
      ],
    },
    ['x', 'y'],
  ],
])('what has no form on the wire is refused: %j %j', (type, value) => {
  expect(() => sent(type, value)).toThrow(/^Not supported: /);
});

test('a value of another type, or none, is a defect', () => {
  expect(() => sent({ kind: 'INT64' }, '1')).toThrow(TypeError);
  expect(() => queryParameters(new Map([['p', { kind: 'INT64' }]]), new Map(), ['p'])).toThrow(TypeError);
});

/** What BigQuery makes of a parameter: the text is cast to the type. */
function received(type: ParameterType, value: ParameterValue): Value {
  if ('arrayValues' in value) {
    return value.arrayValues.map((element) => received(type.arrayType as ParameterType, element));
  }
  if ('structValues' in value) {
    return (type.structTypes ?? []).map((field) =>
      received(field.type, value.structValues[field.name] as ParameterValue),
    );
  }
  return value.value === null ? null : cast(type.type, value.value);
}

function cast(kind: string, text: string): Value {
  expect(typeof text).toBe('string');
  switch (kind) {
    case 'BOOL':
      return text === 'true';
    case 'INT64':
      return BigInt(text);
    case 'FLOAT64':
      return Number(text);
    case 'TIMESTAMP':
      expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?\+00:00$/);
      return parseTimestamp(text) ?? null;
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return parseDecimal(text, kind) ?? null;
    default:
      return text;
  }
}

const isSendable = (type: SqlType): boolean => type.kind !== 'STRUCT' || type.fields.length > 0;

test('values of any type arrive as they are', () => {
  const parameters = types
    .filter(isSendable)
    .chain((type) => fc.tuple(fc.constant(type), valueOfType(type, false)));
  fc.assert(
    fc.property(parameters, ([type, value]) => {
      const { parameterType, parameterValue } = sent(type, value);
      expect(received(parameterType, parameterValue)).toStrictEqual(value);
    }),
    { numRuns: 300 },
  );
});
