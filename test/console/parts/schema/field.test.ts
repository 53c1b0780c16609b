import { describe, expect, test } from 'vitest';
import { fieldOf, shortType, tablesOf } from '../../../../src/console/parts/schema/field.ts';

const names = (type: string) => fieldOf({ name: 'x', type }).fields.map(({ name }) => name);

describe('fields of a type', () => {
  test('records in arrays of records have their fields, with types', () => {
    const field = fieldOf({
      name: 'metadata',
      type: 'ARRAY<STRUCT<request ARRAY<STRUCT<method STRING, ids ARRAY<INT64>>>, level STRING>>',
    });
    expect(field).toMatchObject({
      isArray: true,
      fields: [
        {
          name: 'request',
          isArray: true,
          fields: [
            { name: 'method', type: 'STRING', isArray: false, fields: [] },
            { name: 'ids', type: 'ARRAY<INT64>', isArray: true, fields: [] },
          ],
        },
        { name: 'level', type: 'STRING' },
      ],
    });
  });

  test('precisions, quoted names and spaces do not split a field', () => {
    expect(names('STRUCT<a NUMERIC(10, 2), `b, <c>` STRING(5) , d STRUCT<e INT64, f INT64>>')).toEqual([
      'a',
      'b, <c>',
      'd',
    ]);
  });

  test('fields without a name and types that nobody knows have no fields', () => {
    expect(names('STRUCT<INT64, STRING>')).toEqual([]);
    expect(names('STRUCT<>')).toEqual([]);
    expect(names('ARRAY<')).toEqual([]);
    expect(names('')).toEqual([]);
    expect(names('MAP<a STRING>')).toEqual([]);
  });

  test('a field named __proto__ is a field', () => {
    expect(names('STRUCT<__proto__ STRING, constructor INT64>')).toEqual(['__proto__', 'constructor']);
  });

  test('tables keep the order of their columns', () => {
    const columns = [
      { name: 'b', type: 'INT64' },
      { name: 'a', type: 'STRING' },
    ];
    expect(tablesOf([{ name: 't', columns }])[0]?.fields.map(({ name }) => name)).toEqual(['b', 'a']);
  });
});

test('a short type leaves out the fields of records', () => {
  expect(shortType('ARRAY<STRUCT<a ARRAY<STRUCT<b INT64>>>>')).toBe('ARRAY<STRUCT>');
  expect(shortType('ARRAY<INT64>')).toBe('ARRAY<INT64>');
  expect(shortType('STRUCT<a INT64>')).toBe('STRUCT');
  expect(shortType('NUMERIC(10, 2)')).toBe('NUMERIC');
  expect(shortType('')).toBe('');
});
