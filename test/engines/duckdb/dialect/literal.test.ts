import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { duckType } from '../../../../src/engines/duckdb/dialect/duck-type.ts';
import { literalSql } from '../../../../src/engines/duckdb/dialect/literal.ts';
import { decoderOf } from '../../../../src/engines/duckdb/run/rows/decode.ts';
import type { ScalarTypeName, SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import {
  dateText,
  datetimeTextOfMicros,
  formatDecimal,
  formatInterval,
  timeTextOfMicros,
} from '../../../../src/sql/values/value-text.ts';
import { effort } from '../../../support/effort.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});

async function roundTrip(type: SqlType, value: Value): Promise<{ value: Value; type: string }> {
  const sql = literalSql(type, value);
  const reader = await connection.runAndReadAll(`SELECT ${sql} AS v, typeof(${sql}) AS t`);
  const [row = []] = reader.getRows();
  return { value: decoderOf(type)(row[0] ?? null), type: String(row[1]) };
}

const hostile = [
  "'",
  '"',
  '\\',
  '\0',
  '\n',
  '\r',
  '$1',
  '--',
  '/*',
  ';',
  '😀',
  '\u2028',
  "''",
  ':=',
  '?',
  'é',
  ' ',
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...hostile), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }),
);
const minInstant = -62_135_596_800_000_000n;
const maxInstant = 253_402_300_799_999_999n;
const instants = fc.bigInt({ min: minInstant, max: maxInstant });

const values: Readonly<Partial<Record<ScalarTypeName, fc.Arbitrary<Value>>>> = {
  BOOL: fc.boolean(),
  INT64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  FLOAT64: fc.double(),
  STRING: text,
  JSON: text.map((string) => JSON.stringify(string)),
  BYTES: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  TIMESTAMP: instants,
  DATETIME: instants.map(datetimeTextOfMicros),
  DATE: fc.integer({ min: -719_162, max: 2_932_896 }).map(dateText),
  TIME: fc.bigInt({ min: 0n, max: 86_399_999_999n }).map(timeTextOfMicros),
  NUMERIC: fc
    .bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
    .map((unscaled) => formatDecimal(unscaled, 9)),
  INTERVAL: fc
    .tuple(
      fc.integer({ min: -119_999, max: 119_999 }),
      fc.integer({ min: -3_660_000, max: 3_660_000 }),
      fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }),
    )
    .map(([months, days, micros]) => formatInterval(months, days, micros)),
};

interface Typed {
  readonly type: SqlType;
  readonly value: Value;
}

const scalar: fc.Arbitrary<Typed> = fc.oneof(
  ...Object.entries(values).map(([kind, arbitrary]) =>
    fc.option(arbitrary, { freq: 8 }).map((value): Typed => ({ type: { kind } as SqlType, value })),
  ),
);
const struct = (field: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> =>
  fc
    .array(fc.tuple(fc.oneof(text, fc.constantFrom('a', 'A', '', '__proto__', '1')), field), {
      minLength: 1,
      maxLength: 4,
    })
    .map((fields) => ({
      type: { kind: 'STRUCT', fields: fields.map(([name, { type }]) => ({ name, type })) },
      value: fields.map(([, { value }]) => value),
    }));
const array = (element: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> =>
  fc.tuple(element, fc.nat(3)).map(([{ type, value }, length]) => ({
    type: { kind: 'ARRAY', element: type },
    value: Array.from({ length }, () => value),
  }));
const typed = fc.oneof(scalar, array(scalar), struct(scalar), struct(array(struct(scalar))));

describe('a value written as a constant', () => {
  test('comes back as it was, and of exactly its type', async () => {
    await fc.assert(
      fc.asyncProperty(typed, async ({ type, value }) => {
        const back = await roundTrip(type, value);
        expect(back.value).toEqual(Object.is(value, -0) ? -0 : value);
        const [row = []] = (
          await connection.runAndReadAll(`SELECT typeof(CAST(NULL AS ${duckType(type)}))`)
        ).getRows();
        expect(back.type).toBe(row[0]);
      }),
      { numRuns: 100 * effort },
    );
  });

  test('is one constant, whatever the text holds', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (string) => {
        const reader = await connection.runAndReadAll(
          `SELECT ${literalSql({ kind: 'STRING' }, string)} AS v`,
        );
        expect(reader.getRows()).toEqual([[string]]);
      }),
      { numRuns: 100 * effort },
    );
  });

  test('may be a long array, of which no element is changed', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `${index}`);
    const int64s = [-(2n ** 63n), 2n ** 63n - 1n, ...many.map(BigInt)];
    for (const element of [...hostile, '', '\x1f', 'NULL', '[', ',', '\\x1f']) {
      const type = { kind: 'ARRAY', element: { kind: 'STRING' } } as const;
      for (const value of [
        [element, ...many],
        [...many, element],
        [...many, element, element, null],
      ]) {
        expect(await roundTrip(type, value)).toEqual({ value, type: 'VARCHAR[]' });
      }
    }
    for (const value of [int64s, [...int64s, null]]) {
      const type = { kind: 'ARRAY', element: { kind: 'INT64' } } as const;
      expect(await roundTrip(type, value)).toEqual({ value, type: 'BIGINT[]' });
    }
  });

  test('of a form that its type has not is refused', () => {
    expect(() => literalSql({ kind: 'DATE' }, "2024-01-01' OR true --")).toThrow(TypeError);
    expect(() => literalSql({ kind: 'NUMERIC' }, '1; DROP TABLE t')).toThrow(TypeError);
    expect(() => literalSql({ kind: 'BYTES' }, "'")).toThrow(TypeError);
    expect(() => literalSql({ kind: 'TIMESTAMP' }, maxInstant + 1n)).toThrow(RangeError);
    expect(() => literalSql({ kind: 'INT64' }, 1.5)).toThrow(TypeError);
  });
});

test('types that DuckDB has nothing for are refused by name', () => {
  expect(() => duckType({ kind: 'GEOGRAPHY' })).toThrow('GEOGRAPHY');
  expect(() => literalSql({ kind: 'GEOGRAPHY' }, 'POINT(0 0)')).toThrow('GEOGRAPHY');
});
