import { expect, test } from 'vitest';
import type { TableField } from '../../../../src/definitions/sources/table-field.ts';
import { resultDrift } from '../../../../src/engines/bigquery/values/result-drift.ts';
import { tableDrift } from '../../../../src/engines/bigquery/values/table-drift.ts';
import type { Column } from '../../../../src/sql/values/type.ts';

const expected: readonly Column[] = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: '', type: { kind: 'INT64' } },
  {
    name: 'metadata',
    type: {
      kind: 'ARRAY',
      element: {
        kind: 'STRUCT',
        fields: [
          { name: 'path', type: { kind: 'STRING' } },
          { name: 'status', type: { kind: 'INT64' } },
        ],
      },
    },
  },
];

const metadata: TableField = {
  name: 'METADATA',
  type: 'RECORD',
  mode: 'REPEATED',
  fields: [
    { name: 'path', type: 'STRING', mode: 'NULLABLE' },
    { name: 'status', type: 'INTEGER', mode: 'NULLABLE' },
  ],
};
const id: TableField = { name: 'id', type: 'STRING', mode: 'REQUIRED' };
const count: TableField = { name: 'f0_', type: 'INT64', mode: 'NULLABLE' };
const [path, status] = metadata.fields as [TableField, TableField];

test.each<[readonly TableField[], readonly string[]]>([
  [[id, count, metadata], []],
  [[id, count], ['the result has 2 columns, not 3']],
  [[id, { ...count, type: 'FLOAT' }, metadata], ['column 2 is FLOAT64, not INT64']],
  [[{ ...id, name: 'key' }, count, metadata], ['column 1 of the result is called key, not id']],
  [[id, count, { ...metadata, mode: 'NULLABLE' }], ['metadata is STRUCT, not ARRAY<STRUCT>']],
  [[{ ...id, mode: 'REPEATED' }, count, metadata], ['id is ARRAY<STRING>, not STRING']],
  [[id, { ...count, type: 'RANGE' }, metadata], ['column 2 is RANGE, not INT64']],
  [
    [id, count, { ...metadata, fields: [path, { ...status, type: 'STRING' }] }],
    ['metadata.status is STRING, not INT64'],
  ],
  [[id, count, { ...metadata, fields: [path] }], ['metadata has 1 columns, not 2']],
  [
    [id, count, { ...metadata, fields: [status, path] }],
    ['column 1 of metadata is called status, not path', 'column 2 of metadata is called path, not status'],
  ],
])('an answer is compared by position: %#', (fields, sentences) => {
  expect(resultDrift(expected, fields)).toEqual(sentences);
});

const declared = expected.filter(({ name }) => name !== '');

test.each<[readonly TableField[], readonly string[]]>([
  [[metadata, id], []],
  [[metadata], ['id is declared, but not in the table']],
  [[id, count, metadata], ['f0_ INT64 is in the table, but not declared']],
  [[{ ...id, type: 'BYTES' }, metadata], ['id is declared as STRING, in the table it is BYTES']],
  [
    [id, { ...metadata, fields: [path, { ...status, type: 'JSON' }] }],
    ['metadata.status is declared as INT64, in the table it is JSON'],
  ],
  [[id, { ...metadata, fields: [status] }], ['metadata.path is declared, but not in the table']],
  [
    [id, { ...metadata, fields: [status, path] }],
    ['metadata has its fields in the order status, path in the table'],
  ],
])('a table is compared by name: %#', (fields, sentences) => {
  expect(tableDrift(declared, fields)).toEqual(sentences);
});
