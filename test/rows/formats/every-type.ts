import type { Column, SqlType } from '../../../src/sql/values/type.ts';
import type { Row } from '../../../src/sql/values/value.ts';

const scalar = (kind: Exclude<SqlType['kind'], 'ARRAY' | 'STRUCT'>): SqlType => ({ kind });

const record: SqlType = {
  kind: 'STRUCT',
  fields: [
    { name: 'id', type: scalar('INT64') },
    { name: 'at', type: scalar('TIMESTAMP') },
    { name: 'tags', type: { kind: 'ARRAY', element: scalar('STRING') } },
  ],
};

/** A column of every type, named after it. */
export const columns: readonly Column[] = [
  { name: 'bool', type: scalar('BOOL') },
  { name: 'int64', type: scalar('INT64') },
  { name: 'float64', type: scalar('FLOAT64') },
  { name: 'numeric', type: scalar('NUMERIC') },
  { name: 'bignumeric', type: scalar('BIGNUMERIC') },
  { name: 'string', type: scalar('STRING') },
  { name: 'bytes', type: scalar('BYTES') },
  { name: 'date', type: scalar('DATE') },
  { name: 'datetime', type: scalar('DATETIME') },
  { name: 'time', type: scalar('TIME') },
  { name: 'timestamp', type: scalar('TIMESTAMP') },
  { name: 'interval', type: scalar('INTERVAL') },
  { name: 'json', type: scalar('JSON') },
  { name: 'struct', type: record },
  { name: 'texts', type: { kind: 'ARRAY', element: scalar('STRING') } },
  { name: 'structs', type: { kind: 'ARRAY', element: record } },
];

/** Rows with ordinary values, with the extremes, and with NULLs only. */
export const rows: readonly Row[] = [
  [
    true,
    42n,
    1.5,
    '-1234.56',
    '0.00000000000000000000000000000000000001',
    'a "quoted", text\r\nwith größe 🎉',
    'AAH/',
    '2024-02-29',
    '2024-02-29T12:34:56.789012',
    '23:59:59.999999',
    1_709_210_096_789_012n,
    '1-2 3 4:5:6.7',
    '{"a":[1,null,"x"]}',
    [7n, -1n, ['x', '']],
    ['one', 'two'],
    [
      [1n, 0n, []],
      [null, null, ['z']],
    ],
  ],
  [
    false,
    -9_223_372_036_854_775_808n,
    Number.NEGATIVE_INFINITY,
    '-99999999999999999999999999999.999999999',
    '-578960446186580977117854925043439539266.34992332820282019728792003956564819968',
    '',
    '',
    '0001-01-01',
    '0001-01-01T00:00:00',
    '00:00:00',
    -62_135_596_800_000_000n,
    '0-0 0 0:0:0',
    'null',
    [9_223_372_036_854_775_807n, 253_402_300_799_999_999n, []],
    [],
    [],
  ],
  [null, null, null, null, null, null, null, null, null, null, null, null, null, null, [], []],
];
