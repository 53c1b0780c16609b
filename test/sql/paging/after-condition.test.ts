import { expect, test } from 'vitest';
import { afterCondition, placeKinds } from '../../../src/sql/paging/after-condition.ts';

const key = { sql: 'x', parameter: 'p', type: 'FLOAT64', kind: 'value', isFilled: false } as const;
const ascending = { ...key, isDescending: false, hasNullsFirst: true };
const descending = { ...key, isDescending: true, hasNullsFirst: false };

test('NULL and NaN have the places that ORDER BY gives them', () => {
  expect(afterCondition([ascending])).toBe('x > @p');
  expect(afterCondition([{ ...ascending, kind: 'nan' }])).toBe('NOT IS_NAN(x)');
  expect(afterCondition([{ ...ascending, kind: 'null' }])).toBe('x IS NOT NULL');
  expect(afterCondition([{ ...ascending, hasNullsFirst: false }])).toBe('x > @p OR x IS NULL');
  expect(afterCondition([{ ...ascending, hasNullsFirst: false, kind: 'null' }])).toBe('FALSE');
  expect(afterCondition([descending])).toBe('x < @p OR IS_NAN(x) OR x IS NULL');
  expect(afterCondition([{ ...descending, kind: 'nan' }])).toBe('x IS NULL');
  expect(afterCondition([{ ...descending, hasNullsFirst: true, kind: 'null' }])).toBe('x IS NOT NULL');
  expect(placeKinds([null, Number.NaN, -0, 'a', false])).toEqual(['null', 'nan', 'value', 'value', 'value']);
});

test('the first key alone bounds the rows, for engines that know where its values are', () => {
  const time = { ...descending, type: 'TIMESTAMP', isFilled: true } as const;
  const id = { ...ascending, type: 'STRING', sql: 'id', parameter: 'q' } as const;
  expect(afterCondition([time, id])).toBe('(x <= @p) AND (x < @p OR (x = @p AND (id > @q)))');
});
