import {
  DurationMillisecond,
  Field,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { headerColumns } from '../../../src/rows/ingest/csv/header-names.ts';
import { importPlace, parquetOf } from './import-place.ts';

const namesOf = (out: string): string[] => {
  const parsed = JSON.parse(out);
  return (parsed.fields ?? parsed).map(({ name }: { name: string }) => name);
};

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    [null, 'a', ''],
    ['column_1', 'a', 'column_3'],
  ],
  [
    ['a', 'A', 'a'],
    ['a', 'A_2', 'a_3'],
  ],
  [
    ['a', 'a', 'a_2'],
    ['a', 'a_3', 'a_2'],
  ],
  [
    [null, 'column_1'],
    ['column_1_2', 'column_1'],
  ],
])('the columns of the header %j are %j', (header, names) => {
  expect(headerColumns(header).map(({ name }) => name)).toEqual(names);
});

test.each([
  ['an unnamed column, as of pandas', ',city\n0,Rome\n1,Oslo\n', ['column_1', 'city']],
  ['a comma at the end of each line', 'city,n,\nRome,1,\nOslo,2,\n', ['city', 'n', 'column_3']],
  ['a name twice', 'city,n,N\nRome,1,x\nOslo,2,y\n', ['city', 'n', 'N_2']],
  ['the separator as Excel says it', 'sep=;\r\ncity;n\r\nRome;1\r\nOslo;2\r\n', ['city', 'n']],
])('CSV with %s is imported as it is inferred', async (_, text, names) => {
  const place = await importPlace({ 'a.csv': text });
  expect(namesOf((await place.infer('a.csv')).out)).toEqual(names);
  expect(await place.run({ files: ['a.csv'] })).toMatchObject({ code: 0, err: '' });
  const cells = (await place.rows('t', 'ORDER BY city')).flat().map(String);
  expect(cells).toEqual(expect.arrayContaining(['Oslo', 'Rome', '1']));
});

test('Parquet with columns that get other names is imported as it is inferred', async () => {
  const place = await importPlace({
    'a.parquet': await parquetOf(
      `SELECT i AS "größe in cm", i + 0.5::DOUBLE AS "a.b", TIMESTAMP '2024-01-01' + INTERVAL (i) DAY AS "zeit (UTC)", 'x' AS "unicode col ü" FROM range(2) r(i)`,
    ),
  });
  const { out } = await place.infer('a.parquet');
  expect(out).toContain('Sent as \\"zeit (UTC)\\".');
  expect(await place.run({ files: ['a.parquet'], dryRun: true })).toMatchObject({ code: 0, err: '' });
  expect(await place.run({ files: ['a.parquet'] })).toMatchObject({ code: 0, err: '' });
  const rows = await place.rows();
  expect(rows).toHaveLength(2);
  expect(rows.flat()).toEqual(expect.arrayContaining([0n, 1n, 0.5, 1.5, 'x']));
});

describe('lists with NULL elements', () => {
  const expected = ['[1,null]', '["x",null]', '[2]', '["y"]'];

  test('of Parquet are imported as JSON, as they are inferred', async () => {
    const place = await importPlace({
      'a.parquet': await parquetOf(
        `SELECT * FROM (VALUES ([1, NULL], ['x', NULL], {'l': [NULL, 5], 'm': [5]}, [{'k': [1, NULL]}], [1]), ([2], ['y'], {'l': [6], 'm': [7]}, [{'k': [2]}], [2])) t(numbers, texts, record, records, plain)`,
      ),
    });
    const { out, err } = await place.infer('a.parquet');
    const { fields = JSON.parse(out) } = JSON.parse(out);
    expect(fields).toMatchObject([
      { name: 'numbers', type: 'JSON' },
      { name: 'texts', type: 'JSON' },
      {
        name: 'record',
        type: 'RECORD',
        fields: [
          { name: 'l', type: 'JSON' },
          { name: 'm', mode: 'REPEATED' },
        ],
      },
      { name: 'records', mode: 'REPEATED', fields: [{ name: 'k', type: 'JSON' }] },
      { name: 'plain', mode: 'REPEATED' },
    ]);
    expect(err).toContain('record.l: some values are lists with null; JSON takes all of them');
    expect(await place.run({ files: ['a.parquet'] })).toMatchObject({ code: 0, err: '' });
    const cells = (await place.rows()).flatMap((row) => row.slice(0, 2));
    expect(cells.map(String).sort()).toEqual(expected.toSorted());
  });

  test('of Arrow are, too', async () => {
    const list = <T extends Int32 | Utf8>(type: T) => new List(new Field('item', type, true));
    const table = new Table({
      numbers: vectorFromArray([[1, null], [2]], list(new Int32())),
      texts: vectorFromArray([['x', null], ['y']], list(new Utf8())),
      record: vectorFromArray(
        [{ l: [null, 5] }, { l: [6] }],
        new Struct([new Field('l', list(new Int32()), true)]),
      ),
      plain: vectorFromArray([[1], [2]], list(new Int32())),
    });
    const place = await importPlace({ 'a.arrow': tableToIPC(table, 'file') });
    const { out, err } = await place.infer('a.arrow');
    const { fields = JSON.parse(out) } = JSON.parse(out);
    expect(fields).toMatchObject([
      { name: 'numbers', type: 'JSON' },
      { name: 'texts', type: 'JSON' },
      { name: 'record', type: 'RECORD', fields: [{ name: 'l', type: 'JSON' }] },
      { name: 'plain', mode: 'REPEATED' },
    ]);
    expect(err).toContain('record.l: some values are lists with null; JSON takes all of them');
    expect(await place.run({ files: ['a.arrow'] })).toMatchObject({ code: 0, err: '' });
    const cells = (await place.rows()).flatMap((row) => row.slice(0, 2));
    expect(cells.map(String).sort()).toEqual(expected.toSorted());
  });
});

test('a duration of Arrow is a number of its units', async () => {
  const type = new DurationMillisecond();
  const schema = new Schema([new Field('took', type, true)]);
  const children = [makeData({ type, length: 1, data: BigInt64Array.of(1500n) })];
  const batch = new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: 1, children }));
  const place = await importPlace({ 'a.arrow': tableToIPC(new Table([batch]), 'file') });
  expect((await place.infer('a.arrow')).out).toContain('A duration in milliseconds.');
  expect(await place.run({ files: ['a.arrow'] })).toMatchObject({ code: 0, err: '' });
  expect(await place.rows()).toEqual([[1500n]]);
});

test('a key of logfmt without a value is inferred, too', async () => {
  const place = await importPlace({ 'a.log': 'level=info a= n=1\nlevel=warn a= n=2\n' });
  expect(namesOf((await place.infer('a.log')).out)).toEqual(['event_message', 'level', 'a', 'n']);
  expect(await place.run({ files: ['a.log'] })).toMatchObject({ code: 0, err: '' });
});
