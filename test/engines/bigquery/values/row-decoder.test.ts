import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerError } from '../../../../src/engines/bigquery/values/answer-error.ts';
import { rowDecoder } from '../../../../src/engines/bigquery/values/row-decoder.ts';
import type { Column, ScalarTypeName } from '../../../../src/sql/values/type.ts';
import { columns, valueOfType } from './support/arbitrary-value.ts';
import { wireRow, wireSchema } from './support/wire-form.ts';

const rows = columns.chain((expected) =>
  fc.tuple(
    fc.constant(expected),
    fc.array(fc.tuple(...expected.map(({ type }) => valueOfType(type, true))), { maxLength: 3 }),
  ),
);

test('rows of any type arrive as they are', () => {
  fc.assert(
    fc.property(rows, ([expected, values]) => {
      const answer = JSON.parse(
        JSON.stringify({ schema: wireSchema(expected), rows: values.map((row) => wireRow(expected, row)) }),
      );
      const decode = rowDecoder(expected, answer.schema);
      expect(answer.rows.map(decode)).toStrictEqual(values);
    }),
    { numRuns: 300 },
  );
});

/** What a cell of a type is read as. */
function read(kind: ScalarTypeName, cell: unknown): unknown {
  const expected: readonly Column[] = [{ name: 'x', type: { kind } }];
  return rowDecoder(expected, wireSchema(expected))({ f: [{ v: cell }] })[0];
}

describe('forms that differ from ours are made ours', () => {
  test.each<[ScalarTypeName, unknown, unknown]>([
    ['BOOL', true, true],
    ['INT64', 7, 7n],
    ['FLOAT64', 1.5, 1.5],
    ['FLOAT64', '1', 1],
    ['FLOAT64', '1.0E-5', 0.00001],
    ['FLOAT64', '-0.0', -0],
    ['FLOAT64', 'NaN', Number.NaN],
    ['FLOAT64', 'inf', Number.POSITIVE_INFINITY],
    ['FLOAT64', '-Infinity', Number.NEGATIVE_INFINITY],
    ['NUMERIC', '1.500000000', '1.5'],
    ['NUMERIC', '1E3', '1000'],
    ['BIGNUMERIC', '-0.00', '0'],
    ['DATETIME', '2026-11-20T09:00:00.1', '2026-11-20T09:00:00.100000'],
    ['DATETIME', '2026-11-20T09:00:00.000000', '2026-11-20T09:00:00'],
    ['TIME', '09:00:00.000', '09:00:00'],
    ['TIMESTAMP', '-62135596800000000', -62_135_596_800_000_000n],
    ['INTERVAL', '0-0 0 0:0:1.500000', '0-0 0 0:0:1.500'],
    ['INTERVAL', '-1-2 3 -4:5:6', '-1-2 3 -4:5:6'],
  ])('%s %j', (kind, cell, expected) => {
    expect(read(kind, cell)).toBe(expected);
  });
});

describe('a value of another type is refused with its column', () => {
  test.each<[ScalarTypeName, unknown]>([
    ['BOOL', 'TRUE'],
    ['BOOL', 1],
    ['INT64', '1.0'],
    ['INT64', ''],
    ['INT64', '9223372036854775808'],
    ['INT64', 9_223_372_036_854_776_000],
    ['FLOAT64', ''],
    ['FLOAT64', '0x10'],
    ['FLOAT64', '1e999'],
    ['NUMERIC', 1.5],
    ['NUMERIC', '1.0000000001'],
    ['STRING', 1],
    ['STRING', { f: [] }],
    ['BYTES', 'not base64'],
    ['DATE', '2026-02-30'],
    ['DATETIME', '2026-11-20T09:00:00Z'],
    ['TIME', '24:00:00'],
    ['TIMESTAMP', '1.7952E9'],
    ['TIMESTAMP', 1_795_200_000],
    ['TIMESTAMP', '2026-11-20 09:00:00 UTC'],
    ['TIMESTAMP', '253402300800000000'],
    ['INTERVAL', 'P1Y'],
    ['JSON', { a: 1 }],
    ['STRING', [{ v: 'a' }]],
  ])('%s %j', (kind, cell) => {
    expect(() => read(kind, cell)).toThrow(new AnswerError(`x has a value that is not of type ${kind}`));
  });
});

const record: readonly Column[] = [
  { name: 'id', type: { kind: 'STRING' } },
  {
    name: 'm',
    type: { kind: 'ARRAY', element: { kind: 'STRUCT', fields: [{ name: 'n', type: { kind: 'INT64' } }] } },
  },
];

test.each([
  [null, 'the row has no cells'],
  [{}, 'the row has no cells'],
  [{ f: [{ v: 'a' }] }, 'the row has 1 cells, not 2'],
  [{ f: [{ v: 'a' }, { v: [] }, { v: null }] }, 'the row has 3 cells, not 2'],
  [{ f: [{ v: 'a' }, {}] }, 'm is missing'],
  [{ f: [null, { v: [] }] }, 'id is missing'],
  [{ f: [{ v: 'a' }, { v: { f: [{ v: '1' }] } }] }, 'm is not a list'],
  [{ f: [{ v: 'a' }, { v: [{ f: [{ v: '1' }] }] }] }, 'm is missing'],
  [{ f: [{ v: 'a' }, { v: [{ v: { f: [] } }] }] }, 'm has 0 cells, not 1'],
  [{ f: [{ v: 'a' }, { v: [{ v: 'x' }] }] }, 'm has no cells'],
  [{ f: [{ v: 'a' }, { v: [{ v: { f: [{ v: 'x' }] } }] }] }, 'm.n has a value that is not of type INT64'],
])('a row of another form is refused: %j', (row, problem) => {
  expect(() => rowDecoder(record, wireSchema(record))(row)).toThrow(new AnswerError(problem));
});

test('a NULL array is an empty one, as GoogleSQL has it in results', () => {
  expect(rowDecoder(record, wireSchema(record))({ f: [{ v: null }, { v: null }] })).toEqual([null, []]);
});

test('fields and columns with the same name, or none, are distinguished by position', () => {
  const expected: readonly Column[] = [
    { name: '', type: { kind: 'INT64' } },
    {
      name: 's',
      type: {
        kind: 'STRUCT',
        fields: [
          { name: 'a', type: { kind: 'INT64' } },
          { name: 'A', type: { kind: 'STRING' } },
          { name: '', type: { kind: 'BOOL' } },
        ],
      },
    },
  ];
  const decode = rowDecoder(expected, {
    fields: [
      { name: 'f0_', type: 'INTEGER' },
      {
        name: 'S',
        type: 'RECORD',
        fields: [
          { name: 'a', type: 'INTEGER' },
          { name: 'A_1', type: 'STRING' },
          { name: '_field_3', type: 'BOOLEAN' },
        ],
      },
    ],
  });
  expect(decode({ f: [{ v: '1' }, { v: { f: [{ v: '2' }, { v: 'x' }, { v: 'true' }] } }] })).toEqual([
    1n,
    [2n, 'x', true],
  ]);
});

test.each([
  [undefined, /^the schema is malformed/],
  [{}, /^the schema is malformed: fields/],
  [{ fields: [{ name: 'id' }] }, /^the schema is malformed: fields.0.type/],
  [{ fields: [{ name: 'id', type: 'STRING' }] }, /^the result has 1 columns, not 2$/],
])('a schema of another form is refused: %j', (schema, problem) => {
  expect(() => rowDecoder(record, schema)).toThrow(AnswerError);
  expect(() => rowDecoder(record, schema)).toThrow(problem);
});
