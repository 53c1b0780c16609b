import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  Bool,
  DateDay,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMillisecond,
  TimestampNanosecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { openArrow } from '../../../src/rows/ingest/arrow/arrow-file.ts';
import { isArrowFile } from '../../../src/rows/ingest/arrow/is-arrow.ts';
import { lz4Frame } from '../../../src/rows/ingest/arrow/lz4-frame.ts';
import { inferArrow } from '../../../src/rows/ingest/infer/infer-arrow.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';

const table = new Table({
  id: vectorFromArray([1n, 2n], new Int64()),
  at: vectorFromArray([1704067200001, 1704067200002], new TimestampMillisecond('UTC')),
  level: vectorFromArray(['info', null], new Dictionary(new Utf8(), new Int32())),
  day: vectorFromArray([new Date('2024-02-29'), new Date('1969-12-31')], new DateDay()),
  ok: vectorFromArray([true, false], new Bool()),
  ratio: vectorFromArray([0.5, -0], new Float64()),
  tags: vectorFromArray([['a', 'b'], []], new List(new Field('item', new Utf8(), true))),
  user: vectorFromArray([{ n: 1 }, { n: null }], new Struct([new Field('n', new Int32(), true)])),
});

const lines = [
  '{"id":1,"at":"2024-01-01T00:00:00.001000","level":"info","day":"2024-02-29","ok":true,"ratio":0.5,"tags":["a","b"],"user":{"n":1}}',
  '{"id":2,"at":"2024-01-01T00:00:00.002000","level":null,"day":"1969-12-31","ok":false,"ratio":-0.0,"tags":[],"user":{"n":null}}',
];

async function textsOf(source: string): Promise<string[]> {
  const arrow = await openArrow(source);
  try {
    const texts: string[] = [];
    for await (const { text } of arrow.lines([])) texts.push(text);
    return texts;
  } finally {
    await arrow.close();
  }
}

async function written(bytes: Uint8Array, name = 'x.arrow'): Promise<string> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, bytes);
  return file;
}

test.each(['file', 'stream'] as const)(
  'a %s is known by its content, and its rows are those of NDJSON',
  async (form) => {
    const file = await written(tableToIPC(table, form), 'x.bin');
    expect(await isArrowFile(file)).toBe(true);
    expect(await textsOf(file)).toEqual(lines);
  },
);

test('nanoseconds are cut, before 1970 as well', async () => {
  const type = new TimestampNanosecond();
  const data = makeData({ type, length: 2, data: BigInt64Array.of(1_704_067_200_000_001_999n, -1n) });
  const schema = new Schema([new Field('at', type)]);
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: 2, children: [data] }),
  );
  expect(await textsOf(await written(tableToIPC(new Table([batch]))))).toEqual([
    '{"at":"2024-01-01T00:00:00.000001"}',
    '{"at":"1969-12-31T23:59:59.999999"}',
  ]);
});

test('a text keeps a byte order mark at its beginning', async () => {
  const texts = new Table({ t: vectorFromArray(['\uFEFFx', 'é', '', null], new Utf8()) });
  expect(await textsOf(await written(tableToIPC(texts)))).toEqual([
    '{"t":"\uFEFFx"}',
    '{"t":"é"}',
    '{"t":""}',
    '{"t":null}',
  ]);
});

test('other files are none, and a damaged one is refused', async () => {
  expect(await isArrowFile(await written(Buffer.from('PAR1')))).toBe(false);
  const cut = await written(tableToIPC(table, 'stream').subarray(0, 700));
  await expect(textsOf(cut)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('a source is proposed from its own types', async () => {
  const { fields, settings, rows } = await inferArrow(await written(tableToIPC(table)));
  expect(rows).toBe(2);
  expect(settings).toMatchObject({ timestamp: ['at'] });
  expect(fields.map(({ name, type, mode }) => `${name} ${type} ${mode}`)).toEqual([
    'id INT64 REQUIRED',
    'at TIMESTAMP REQUIRED',
    'level STRING NULLABLE',
    'day DATE NULLABLE',
    'ok BOOL NULLABLE',
    'ratio FLOAT64 NULLABLE',
    'tags STRING REPEATED',
    'user RECORD NULLABLE',
  ]);
});

test.each([
  ['repeated bytes', 'BCJNGGRApw0AAAA/YWJjAwBdUGJjYWJjAAAAAI9gP8k=', Buffer.from('abc'.repeat(40))],
  [
    'a size of the content',
    'BCJNGGhAeAAAAAAAAACBDQAAAD9hYmMDAF1QYmNhYmMAAAAA',
    Buffer.from('abc'.repeat(40)),
  ],
  [
    'bytes as they are',
    'BCJNGGRApygAAIAlZAYPlPftWs7u+yRjLwbpvFAsuSzNzT0YxvwpiuA+JLm6fUizhW4pAAAAAOlAD1E=',
    Buffer.from('JWQGD5T37VrO7vskYy8G6bxQLLkszc09GMb8KYrgPiS5un1Is4VuKQ==', 'base64'),
  ],
])('an LZ4 frame of %s, as pandas writes by default, is decompressed', (_, frame, bytes) => {
  expect(Buffer.from(lz4Frame(Buffer.from(frame, 'base64')))).toEqual(bytes);
});

test('other bytes are no LZ4 frame', () => {
  expect(() => lz4Frame(Buffer.from('nothing'))).toThrow(RangeError);
  expect(() => lz4Frame(Buffer.from('BCJNGGRApw0AAAA/YWJj', 'base64'))).toThrow(RangeError);
});
