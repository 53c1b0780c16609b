import { expect, test } from 'vitest';
import { nextSorting, sortRows } from '../../../../src/console/parts/table/sort-rows.ts';
import { filterRows } from '../../../../src/console/parts/table/table-column.ts';

type Row = { readonly a: string | number | bigint | null };

function sorted(
  values: readonly Row['a'][],
  type?: string,
  direction: 'ascending' | 'descending' = 'ascending',
) {
  const rows = values.map((a) => ({ a }));
  return sortRows(rows, [{ name: 'a', type }], { column: 'a', direction }).map(({ a }) => a);
}

test('numbers are sorted by value, and NULL comes last in both directions', () => {
  expect(sorted([10, null, 9007199254740993n, -1])).toEqual([-1, 10, 9007199254740993n, null]);
  expect(sorted([10, null, -1], undefined, 'descending')).toEqual([10, -1, null]);
});

test('decimals that come as texts are numbers, also where numbers of JavaScript round them to the same', () => {
  expect(sorted(['10', '9.5', '-1', null], 'NUMERIC')).toEqual(['-1', '9.5', '10', null]);
  expect(sorted(['10', '9.5', '-1'])).toEqual(['-1', '9.5', '10']);
  const large = ['9007199254740993', '9007199254740992', '9007199254740994'];
  expect(sorted(large)).toEqual(large.toSorted());
});

test('hashes, numbers with exponents and texts of digits are texts', () => {
  expect(sorted(['66a', '5500083e', '1e5'])).toEqual(['1e5', '5500083e', '66a']);
  expect(sorted(['9', '10'], 'STRING')).toEqual(['10', '9']);
  expect(sorted(['9', '010'])).toEqual(['010', '9']);
  // The only one of many that is none.
  const many = Array.from({ length: 5_000 }, (_, index) => String(index + 1));
  expect(sorted([...many, '5e3']).slice(0, 2)).toEqual(['1', '10']);
});

test('a time without a fraction comes before those of the same second', () => {
  const times = ['2026-11-27T10:00:00.5Z', '2026-11-27T10:00:00Z', '2026-11-27T10:00:01Z'];
  expect(sorted(times, 'TIMESTAMP')).toEqual([times[1], times[0], times[2]]);
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
