import { expect, test } from 'vitest';
import { refuseNullElements } from '../../../../../src/engines/duckdb/run/rows/null-elements.ts';
import type { Column, SqlType } from '../../../../../src/sql/values/type.ts';
import type { Value } from '../../../../../src/sql/values/value.ts';

const int64: SqlType = { kind: 'INT64' };
const list: SqlType = { kind: 'ARRAY', element: int64 };
const record = (type: SqlType): SqlType => ({
  kind: 'STRUCT',
  fields: [
    { name: 'n', type: int64 },
    { name: 'list', type },
  ],
});
const records = (type: SqlType): SqlType => ({ kind: 'ARRAY', element: record(type) });

test.each<[SqlType, Value]>([
  [int64, null],
  [list, null],
  [list, []],
  [list, [1n]],
  [record(list), null],
  [record(list), [null, null]],
  [records(list), [[null, [1n]]]],
])('a result may have NULLs elsewhere than in arrays: %j', (type, value) => {
  expect(() => refuseNullElements([{ name: 'a', type }], [[value]])).not.toThrow();
});

test.each<[SqlType, Value]>([
  [list, [1n, null]],
  [record(list), [1n, [null]]],
  [records(int64), [null]],
  [
    records(list),
    [
      [1n, []],
      [1n, [1n, null]],
    ],
  ],
])(
  'an array with a NULL in it is refused in the words of BigQuery, in any row and at any depth: %j',
  (type, value) => {
    const columns: readonly Column[] = [
      { name: 'a', type: int64 },
      { name: '', type },
    ];
    const rows = [
      [1n, null],
      [1n, value],
    ];
    expect(() => refuseNullElements(columns, rows)).toThrow(
      expect.objectContaining({
        code: 'QUERY_FAILED',
        message: 'Array cannot have a null element; error in writing field f0_',
      }),
    );
  },
);
