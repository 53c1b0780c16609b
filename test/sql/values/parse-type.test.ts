import { expect, test } from 'vitest';
import { parseType } from '../../../src/sql/values/parse-type.ts';
import { formatType } from '../../../src/sql/values/type.ts';

test.each([
  'INT64',
  'ARRAY<STRING>',
  'STRUCT<a NUMERIC, d STRUCT<e INT64, f ARRAY<INT64>>>',
  'ARRAY<STRUCT<request ARRAY<STRUCT<method STRING, ids ARRAY<INT64>>>, level STRING>>',
  'STRUCT<INT64, STRING>',
  'STRUCT<date DATE, struct STRUCT<array ARRAY<JSON>>, from INT64>',
  'STRUCT<user-agent STRING, a b INT64, date time DATE, x<y> BOOL, größe FLOAT64, 1st INT64>',
])('a written type is read: %s', (text) => {
  const type = parseType(text);
  expect(type && formatType(type)).toBe(text);
});

test('spaces and letter case do not matter', () => {
  expect(parseType(' array < struct< a int64 ,b String > > ')).toEqual(
    parseType('ARRAY<STRUCT<a INT64, b STRING>>'),
  );
});

test.each([
  '',
  'MAP<a STRING>',
  'ARRAY<',
  'STRUCT<>',
  'STRUCT<a>',
  'STRUCT<a INT64',
  'ARRAY<ARRAY<INT64>>',
  'NUMERIC(10, 2)',
  'INT64 INT64',
  'STRUCT<a INT64>>',
  `${'STRUCT<a '.repeat(20)}INT64${'>'.repeat(20)}`,
])('everything else is no type: %s', (text) => {
  expect(parseType(text)).toBeUndefined();
});
