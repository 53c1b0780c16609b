import { expect, test } from 'vitest';
import { filterRows, nextSorting, sortRows } from '../../../../src/console/parts/table/table-column.ts';

const column = (rows: readonly { readonly [name: string]: unknown }[]) => rows.map(({ a }) => a);

test('numbers are sorted by value, texts by their numbers, and NULL comes last in both directions', () => {
  const numbers = [{ a: 10 }, { a: null }, { a: 9007199254740993n }, { a: -1 }];
  expect(column(sortRows(numbers, { column: 'a', direction: 'ascending' }))).toEqual([
    -1,
    10,
    9007199254740993n,
    null,
  ]);
  expect(column(sortRows(numbers, { column: 'a', direction: 'descending' })).at(-1)).toBeNull();
  const texts = [{ a: 'file 10' }, { a: 'file 9' }];
  expect(column(sortRows(texts, { column: 'a', direction: 'ascending' }))).toEqual(['file 9', 'file 10']);
});

test('clicks on a head sort up, down, and not at all', () => {
  const up = nextSorting(undefined, 'a');
  const down = nextSorting(up, 'a');
  expect([up?.direction, down?.direction, nextSorting(down, 'a')]).toEqual([
    'ascending',
    'descending',
    undefined,
  ]);
  expect(nextSorting(down, 'b')).toEqual({ column: 'b', direction: 'ascending' });
});

test('a filter finds a text in any value, in any letter case, nested ones too', () => {
  const rows = [{ a: 'Error' }, { a: 1, b: [{ c: 'an ERROR' }] }, { a: 'fine' }];
  expect(filterRows(rows, ' error ')).toEqual(rows.slice(0, 2));
  expect(filterRows(rows, '')).toBe(rows);
});
