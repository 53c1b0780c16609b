import { describe, expect, test } from 'vitest';
import { duckType, physicalFieldNames } from '../../../../src/engines/duckdb/dialect/duck-type.ts';
import type { SqlType, StructType } from '../../../../src/sql/values/type.ts';

const struct = (...names: string[]): StructType => ({
  kind: 'STRUCT',
  fields: names.map((name) => ({ name, type: { kind: 'INT64' } })),
});

describe('the physical names of fields', () => {
  test.each([
    [
      ['Path', 'URL'],
      ['"path"', '"url"'],
    ],
    [
      ['a', 'A', ''],
      ['"a"', '"_1"', '"_2"'],
    ],
    [
      ['_1', ''],
      ['"_1"', '"_1_"'],
    ],
    [['say "hi"'], ['"say ""hi"""']],
    [
      ['0', '__proto__'],
      ['"_0"', '"_1"'],
    ],
  ])('%j are %j', (names, physical) => {
    expect(physicalFieldNames(struct(...names))).toEqual(physical);
  });
});

test('nested types', () => {
  const type: SqlType = {
    kind: 'ARRAY',
    element: { kind: 'STRUCT', fields: [{ name: 'T', type: { kind: 'TIMESTAMP' } }] },
  };
  expect(duckType(type)).toBe('STRUCT("t" TIMESTAMP)[]');
});

test('a struct without fields is refused', () => {
  expect(() => duckType(struct())).toThrow('STRUCT without fields');
});
