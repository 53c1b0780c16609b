import { expect, test } from 'vitest';
import { fieldAt, shortType, valueKind, writtenField } from '../../../src/sql/editing/field.ts';

const field = (type: string) => writtenField({ name: 'x', type });
const names = (type: string) => field(type).fields.map(({ name }) => name);

test('records and arrays of records have their fields, with types', () => {
  const metadata = field('ARRAY<STRUCT<request ARRAY<STRUCT<ids ARRAY<INT64>>>, level STRING>>');
  expect(metadata.fields.map(({ name }) => name)).toEqual(['request', 'level']);
  expect(valueKind(fieldAt([metadata], ['X', 'Request', 'ids']))).toBe('INT64');
  expect(fieldAt([metadata], ['x', 'level', 'ids'])).toBeUndefined();
});

test('fields without a name and types that nobody knows have no fields', () => {
  expect(names('STRUCT<INT64, STRING>')).toEqual([]);
  expect(names('MAP<a STRING>')).toEqual([]);
});

test('a field named __proto__ is a field', () => {
  expect(names('STRUCT<__proto__ STRING, constructor INT64>')).toEqual(['__proto__', 'constructor']);
});

test('a short type leaves out the fields of records', () => {
  const short = (text: string) => {
    const { type } = field(text);
    return type && shortType(type);
  };
  expect(short('ARRAY<STRUCT<a ARRAY<STRUCT<b INT64>>>>')).toBe('ARRAY<STRUCT>');
  expect(short('ARRAY<INT64>')).toBe('ARRAY<INT64>');
  expect(short('STRUCT<a INT64>')).toBe('STRUCT');
});
