import { expect, test } from 'vitest';
import { breakingChanges } from '../../../src/definitions/lock/breaking-changes.ts';
import type { LockedParameter, LockedVersion } from '../../../src/definitions/lock/locked-version.ts';

const locked: LockedVersion = {
  name: 'orders',
  version: 1,
  id: 'a',
  meaning: 'm',
  parameters: [{ name: 'shop', type: 'STRING' }],
  columns: [
    ['day', 'DATE'],
    ['total', 'INT64 NOT NULL'],
    ['item', 'ARRAY<STRUCT>'],
    ['item.sku', 'STRING'],
    ['item.count', 'INT64'],
  ],
  tables: [{ name: 'own', columns: [['id', 'STRING']] }],
};
const { columns } = locked;
const [shop] = locked.parameters as [LockedParameter];
const withColumn = (name: string, type: string): LockedVersion => ({
  ...locked,
  columns: columns.map(([path, was]) => [path, path === name ? type : was]),
});
const withoutColumns = (...names: string[]): LockedVersion => ({
  ...locked,
  columns: columns.filter(([path]) => !names.includes(path)),
});
const withParameters = (...parameters: LockedParameter[]): LockedVersion => ({ ...locked, parameters });

test.each<[string, LockedVersion]>([
  ['nothing', locked],
  ['another meaning', { ...locked, meaning: 'other' }],
  ['another order of columns', { ...locked, columns: columns.toReversed() }],
  ['a further column', { ...locked, columns: [...columns, ['more', 'STRING']] }],
  ['a further field of a record', { ...locked, columns: [...columns, ['item.more', 'STRING']] }],
  ['a promise that a column is not NULL', withColumn('day', 'DATE NOT NULL')],
  ['a further optional parameter', withParameters(shop, { name: 'more', type: 'INT64' })],
  ['another default', withParameters({ ...shop, default: 'north' })],
  ['a further table', { ...locked, tables: [...(locked.tables ?? []), { name: 'more', columns: [] }] }],
])('%s breaks nothing', (_, after) => {
  expect(breakingChanges(locked, after)).toEqual([]);
});

test.each<[LockedVersion, string]>([
  [{ ...locked, id: 'b' }, 'the id was a'],
  [withoutColumns('day'), 'the column day DATE is gone'],
  [withColumn('day', 'DATETIME'), 'the column day is DATETIME, and was DATE'],
  [withColumn('total', 'INT64'), 'the column total is INT64, and was INT64 NOT NULL'],
  [withoutColumns('item.sku'), 'the column item.sku STRING is gone'],
  [withoutColumns('item', 'item.sku', 'item.count'), 'the column item ARRAY<STRUCT> is gone'],
  [withColumn('item', 'STRUCT'), 'the column item is STRUCT, and was ARRAY<STRUCT>'],
  [withParameters(), 'the parameter shop is gone'],
  [withParameters({ ...shop, type: 'INT64' }), 'the parameter shop is INT64, and was STRING'],
  [withParameters({ ...shop, required: true }), 'the parameter shop is required, and was not'],
  [withParameters({ ...shop, values: ['a', 'b'] }), 'the parameter shop allows a, b only'],
  [withParameters({ ...shop, pattern: 'a+' }), 'the parameter shop has another pattern'],
  [withParameters({ ...shop, maxLength: 3 }), 'the parameter shop has maxLength 3'],
  [
    withParameters(shop, { name: 'new', type: 'STRING', required: true }),
    'the parameter new is new, and required',
  ],
  [{ ...locked, tables: [] }, 'the table own is gone'],
  [{ ...locked, tables: [{ name: 'own', columns: [] }] }, 'the column of the table own, id STRING is gone'],
])('a change that breaks clients is named (%#)', (after, text) => {
  expect(breakingChanges(locked, after)).toEqual([text]);
});

test.each<[Partial<LockedParameter>, Partial<LockedParameter>, string[]]>([
  [{ values: ['a', 'b'] }, { values: ['b', 'c'] }, ['the parameter n no longer allows a']],
  [{ values: ['a'] }, {}, []],
  [{ required: true }, {}, []],
  [{ min: '1' }, { min: '0' }, []],
  [{ min: '9' }, { min: '10' }, ['the parameter n is at least 10, and was 9']],
  [{ max: '10' }, { max: '9' }, ['the parameter n has max 9, and was 10']],
  [{ max: '9' }, { max: '10' }, []],
  [{ max: '9' }, {}, []],
  // Nothing here can tell which of two times is later.
  [
    { min: '2026-01-31' },
    { min: '2025-01-31' },
    ['the parameter n is at least 2025-01-31, and was 2026-01-31'],
  ],
  [{ maxItems: 5 }, { maxItems: 4 }, ['the parameter n has maxItems 4, and was 5']],
])('rules %j that become %j', (before, after, texts) => {
  const parameter = { name: 'n', type: 'STRING' };
  const changes = breakingChanges(
    withParameters({ ...parameter, ...before }),
    withParameters({ ...parameter, ...after }),
  );
  expect(changes).toEqual(texts);
});
