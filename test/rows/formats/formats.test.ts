import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rowsInMemory } from '../../../src/engines/rows/result-rows.ts';
import type { Format, FormatName } from '../../../src/rows/formats/format.ts';
import { formats } from '../../../src/rows/formats/formats.ts';
import { type JsonStyle, jsonStyle } from '../../../src/rows/formats/render/json-style.ts';
import { gather } from '../../../src/server/rest/answers/make-body.ts';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import type { Column } from '../../../src/sql/values/type.ts';
import type { Row } from '../../../src/sql/values/value.ts';
import { columns, rows } from './every-type.ts';

function encode(
  name: FormatName,
  of = columns,
  these = rows,
  style: Partial<JsonStyle> = {},
): Promise<Buffer> {
  return gather(encodeRows(name, of, rowsInMemory(these).chunks(), jsonStyle(style)));
}

/** Encodes rows in a format. */
function encodeRows(
  name: FormatName,
  of: readonly Column[],
  these: AsyncIterable<readonly Row[]>,
  style: JsonStyle,
): AsyncIterable<Uint8Array> {
  const format: Format = formats[name];
  if (format.source === 'rows') return format.encode(of, these, style);
  async function* batches() {
    for await (const some of these) yield columnsOfRows(of, some);
  }
  return format.encode(of, batches(), style);
}

/** What DuckDB reads from a file with these bytes: the types of the columns, and the rows as JSON. */
async function duckdbReads(bytes: Buffer, read: (file: string) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'formats-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file');
  await writeFile(file, bytes);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  onTestFinished(() => connection.closeSync());
  const from = read(`'${file}'`);
  const types = await connection.runAndReadAll(
    `SELECT column_name, column_type FROM (DESCRIBE FROM ${from})`,
  );
  const result = await connection.runAndReadAll(`FROM ${from}`);
  return {
    types: Object.fromEntries(types.getRowsJson() as [string, string][]),
    rows: result.getRowObjectsJson(),
  };
}

describe('parquet', () => {
  test('DuckDB reads every type back', async () => {
    const { types, rows: read } = await duckdbReads(
      await encode('parquet'),
      (file) => `read_parquet(${file})`,
    );
    expect(types).toMatchObject({
      bool: 'BOOLEAN',
      int64: 'BIGINT',
      float64: 'DOUBLE',
      numeric: 'DECIMAL(38,9)',
      string: 'VARCHAR',
      bytes: 'BLOB',
      date: 'DATE',
      datetime: 'TIMESTAMP',
      time: 'TIME',
      timestamp: 'TIMESTAMP WITH TIME ZONE',
      struct: 'STRUCT(id BIGINT, "at" TIMESTAMP WITH TIME ZONE, tags VARCHAR[])',
      texts: 'VARCHAR[]',
    });
    expect(read).toHaveLength(3);
    expect(read[0]).toMatchObject({
      bool: true,
      int64: '42',
      float64: 1.5,
      numeric: '-1234.560000000',
      string: rows[0]?.[5],
      bytes: '\\x00\\x01\\xFF',
      date: '2024-02-29',
      datetime: '2024-02-29 12:34:56.789012',
      time: '23:59:59.999999',
      struct: { id: '7', tags: ['x', ''] },
      texts: ['one', 'two'],
    });
    expect(read[1]).toMatchObject({
      int64: '-9223372036854775808',
      numeric: '-99999999999999999999999999999.999999999',
      string: '',
      bytes: '',
      date: '0001-01-01',
      datetime: '0001-01-01 00:00:00',
      texts: [],
    });
    expect(read[2]).toMatchObject({ int64: null, string: null, struct: null, texts: [], structs: [] });
  });

  test('hyparquet reads timestamps and nested values back', async () => {
    const bytes = await encode('parquet');
    const file = new Uint8Array(bytes).buffer;
    const [first, second] = await parquetReadObjects({
      file,
      columns: ['timestamp', 'structs', 'bignumeric'],
    });
    expect(first).toMatchObject({
      timestamp: new Date(1_709_210_096_789),
      structs: [
        { id: 1n, at: new Date(0), tags: [] },
        { id: null, at: null, tags: ['z'] },
      ],
    });
    expect(second?.timestamp).toEqual(new Date(-62_135_596_800_000));
  });

  test('no rows are a file with the columns', async () => {
    const { types, rows: read } = await duckdbReads(
      await encode('parquet', columns, []),
      (file) => `read_parquet(${file})`,
    );
    expect(Object.keys(types)).toEqual(columns.map(({ name }) => name));
    expect(read).toEqual([]);
  });
});

describe('arrow', () => {
  test('Arrow reads every type back', async () => {
    const table = tableFromIPC(await encode('arrow'));
    expect(
      Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)])),
    ).toMatchObject({
      int64: 'Int64',
      numeric: 'Decimal[38e+9]',
      date: 'Date32<DAY>',
      datetime: 'Timestamp<MICROSECOND>',
      timestamp: 'Timestamp<MICROSECOND, UTC>',
      time: 'Time64<MICROSECOND>',
      string: 'Utf8',
      bytes: 'Binary',
    });
    const column = (name: string) => [...(table.getChild(name) ?? [])];
    expect(column('int64')).toEqual([42n, -9_223_372_036_854_775_808n, null]);
    expect(column('float64')).toEqual([1.5, Number.NEGATIVE_INFINITY, null]);
    expect(column('string')).toEqual([rows[0]?.[5], '', null]);
    expect(column('bool')).toEqual([true, false, null]);
    expect(column('bytes')).toEqual([Uint8Array.of(0, 1, 255), Uint8Array.of(), null]);
    expect(column('time')).toEqual([86_399_999_999n, 0n, null]);
    expect(column('texts').map((texts) => [...texts])).toEqual([['one', 'two'], [], []]);
    expect(table.getChild('struct')?.get(1)?.toJSON()).toMatchObject({ id: 9_223_372_036_854_775_807n });
  });

  test('no rows are a stream with the schema', async () => {
    const table = tableFromIPC(await encode('arrow', columns, []));
    expect(table.numRows).toBe(0);
    expect(table.schema.fields).toHaveLength(columns.length);
  });

  test('many rows come in several batches', async () => {
    const many = Array.from({ length: 20_000 }, (_, index): Row => [BigInt(index), `text ${index}`]);
    const two: Column[] = [
      { name: 'n', type: { kind: 'INT64' } },
      { name: 's', type: { kind: 'STRING' } },
    ];
    const table = tableFromIPC(await encode('arrow', two, many));
    expect(table.batches.length).toBeGreaterThan(1);
    expect(table.numRows).toBe(20_000);
    expect(table.get(19_999)?.toJSON()).toEqual({ n: 19_999n, s: 'text 19999' });
  });
});

describe('csv', () => {
  test('is as RFC 4180 says, with ISO timestamps and nested values as JSON', async () => {
    const text = (await encode('csv')).toString();
    expect(text.split('\r\n')[0]).toBe(columns.map(({ name }) => name).join(','));
    expect(text).toContain(
      'true,42,1.5,-1234.56,0.00000000000000000000000000000000000001,"a ""quoted"", text\r\nwith größe 🎉",AAH/,2024-02-29,2024-02-29T12:34:56.789012,23:59:59.999999,2024-02-29T12:34:56.789012Z,1-2 3 4:5:6.7,"{""a"":[1,null,""x""]}","{""id"":7,""at"":""1969-12-31T23:59:59.999999Z"",""tags"":[""x"",""""]}"',
    );
    expect(text.endsWith('\r\n,,,,,,,,,,,,,,[],[]\r\n')).toBe(true);
  });

  test('DuckDB reads it back', async () => {
    const { rows: read } = await duckdbReads(
      await encode('csv'),
      (file) => `read_csv(${file}, header = true)`,
    );
    expect(read[0]).toMatchObject({ int64: '42', string: rows[0]?.[5], date: '2024-02-29' });
    expect(read).toHaveLength(3);
  });

  test('an empty text and NULL differ, and a NULL alone in its row is no empty line', async () => {
    const one: Column[] = [{ name: 'only, one', type: { kind: 'STRING' } }];
    expect((await encode('csv', one, [[null], [''], [' x']])).toString()).toBe(
      '"only, one"\r\n""\r\n""\r\n" x"\r\n',
    );
  });
});

describe('ndjson', () => {
  test('is an object in each line', async () => {
    const lines = (await encode('ndjson')).toString().split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      timestamp: 1_709_210_096_789_012,
      json: '{"a":[1,null,"x"]}',
    });
  });

  test('has RFC 3339 timestamps and JSON itself if asked', async () => {
    const [line = ''] = (await encode('ndjson', columns, rows, { timestamps: 'iso', json: 'inline' }))
      .toString()
      .split('\n');
    expect(JSON.parse(line)).toMatchObject({
      timestamp: '2024-02-29T12:34:56.789012Z',
      json: { a: [1, null, 'x'] },
      struct: { at: '1969-12-31T23:59:59.999999Z' },
    });
  });

  test('a JSON text with line breaks stays one line', async () => {
    const one: Column[] = [{ name: 'j', type: { kind: 'JSON' } }];
    expect((await encode('ndjson', one, [['{\n  "a": 1\n}']], { json: 'inline' })).toString()).toBe(
      '{"j":{   "a": 1 }}\n',
    );
  });
});

test.each(['ndjson', 'csv', 'arrow', 'parquet', 'json'] as const)(
  '%s passes on the failure of its rows',
  async (name) => {
    async function* failing(): AsyncGenerator<readonly Row[]> {
      yield rows;
      throw new Error('the engine is gone');
    }
    await expect(gather(encodeRows(name, columns, failing(), jsonStyle({})))).rejects.toThrow(
      'the engine is gone',
    );
  },
);
