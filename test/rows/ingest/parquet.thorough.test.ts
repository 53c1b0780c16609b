import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../src/definitions/sources/source.ts';
import type { AcceptedTimes } from '../../../src/rows/ingest/encode/accepted-times.ts';
import { ingestChunks } from '../../../src/rows/ingest/ingest.ts';
import {
  isParquetFile,
  openParquetFile,
  type ParquetFile,
} from '../../../src/rows/ingest/parquet/parquet-file.ts';
import { parsedLines } from '../../../src/rows/ingest/parse/parsed-lines.ts';
import {
  makeSource,
  openReadingStore,
  openTestStore,
  readRows,
  temporaryFolder,
} from '../../engines/duckdb/store/support.ts';

/** Writes the rows of a query of DuckDB as a Parquet file. */
async function parquetFile(select: string, name = 'rows.parquet'): Promise<string> {
  const file = join(await temporaryFolder(), name);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'Asia/Tokyo'`);
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  connection.closeSync();
  instance.closeSync();
  return file;
}

async function importFile(file: string, source: Source, times?: AcceptedTimes) {
  const parquet = await openParquetFile(file, { memoryLimit: '200MB', threads: 2 });
  try {
    const store = await openReadingStore(await temporaryFolder(), [file], source);
    const badRows: string[] = [];
    const others = parsedLines(parquet.otherLines(source, times), source, { times });
    const result = await ingestChunks(store, source, others, {
      file: parquet.fittingRows(source, times),
      origin: 'imported',
      skipBadRows: true,
      onBadRow: ({ line, reason }) => void badRows.push(`${line}: ${reason}`),
    });
    const rows = await readRows(store, source);
    await provesTheSame(parquet, source, { badRows, rows }, times);
    return { result, badRows, rows, rowCount: parquet.rowCount };
  } finally {
    parquet.close();
  }
}

/** Row by row the file comes to the same. */
async function provesTheSame(
  parquet: ParquetFile,
  source: Source,
  expected: { readonly badRows: string[]; readonly rows: unknown[] },
  times?: AcceptedTimes,
) {
  const store = await openTestStore(await temporaryFolder(), source);
  const badRows: string[] = [];
  await ingestChunks(store, source, parsedLines(parquet.lines(source), source, { times }), {
    origin: 'imported',
    skipBadRows: true,
    onBadRow: ({ line, reason }) => void badRows.push(`${line}: ${reason}`),
  });
  expect({ badRows, rows: await readRows(store, source) }).toEqual(expected);
}

const key = `'a' AS id, TIMESTAMPTZ '2024-01-01 00:00:00.000001Z' AS "timestamp"`;
const micros = 1704067200000001n;

describe('a Parquet file', () => {
  test('is known by its first bytes', async () => {
    expect(await isParquetFile(await parquetFile('SELECT 1 AS id', 'rows.json'))).toBe(true);
    const other = join(await temporaryFolder(), 'x.parquet');
    await writeFile(other, 'PAR');
    expect(await isParquetFile(other)).toBe(false);
  });

  test.each([
    ['flat', ''],
    ['with lists', ', [{n: 1}, {n: 2}] AS list'],
  ])('has only rows of accepted times, %s', async (_, list) => {
    const fields = [{ name: 'n', type: 'INT64' }];
    const source = makeSource('s', { name: 'list', type: 'RECORD', mode: 'REPEATED', fields });
    const at = (n: number) => `TIMESTAMP '2024-01-01' + to_microseconds(${n})`;
    const select = `SELECT n::VARCHAR AS id, t AS "timestamp"${list} FROM (VALUES (1, ${at(-1)}), (2, ${at(0)}),
      (3, ${at(1_000_000)}), (4, ${at(1_000_001)}), (5, TIMESTAMP '2999-01-01')) v(n, t)`;
    const from = 1_704_067_200_000_000n;
    const times = { from, to: from + 1_000_000n };
    const { result, badRows } = await importFile(await parquetFile(select), source, times);
    const range =
      'timestamp: expected a time from 2024-01-01T00:00:00Z to 2024-01-01T00:00:01Z (INGEST_MAX_PAST_DAYS, INGEST_MAX_FUTURE_SECONDS)';
    expect(badRows).toEqual([
      `1: ${range}, got "2023-12-31T23:59:59.999999"`,
      `5: ${range}, got "2999-01-01T00:00:00"`,
    ]);
    expect(result).toMatchObject({ imported: 3 });
  });

  test('gives every type exactly', async () => {
    const source = makeSource(
      's',
      { name: 'i', type: 'INT64' },
      { name: 'f', type: 'FLOAT64', mode: 'REPEATED' },
      { name: 'n', type: 'NUMERIC' },
      { name: 'b', type: 'BYTES' },
      { name: 'd', type: 'DATE' },
      { name: 't', type: 'TIME' },
      { name: 'dt', type: 'DATETIME' },
      { name: 'j', type: 'JSON' },
      { name: 'flag', type: 'BOOL' },
      {
        name: 'Metadata',
        type: 'RECORD',
        mode: 'REPEATED',
        fields: [
          { name: 'x', type: 'STRING' },
          { name: 'r', type: 'RECORD', fields: [{ name: 'at', type: 'TIMESTAMP' }] },
        ],
      },
    );
    const file = await parquetFile(`SELECT ${key}, 9223372036854775807 AS i,
      ['NaN'::DOUBLE, '-Infinity', '-0.0', 0.1, 1e300] AS f,
      12345678901234567890123456789.123456789::DECIMAL(38, 9) AS n, '\\xFF\\x00'::BLOB AS b,
      DATE '0001-01-01' AS d, TIME '23:59:59.999999' AS t, TIMESTAMP '9999-12-31 23:59:59.999999' AS dt,
      '{"a": [1.50, "x"]}'::JSON AS j, true AS flag,
      [{'x': 'a"b\\n', 'r': {'at': TIMESTAMP_NS '2024-01-01 00:00:00.000001999'}}, {'x': NULL, 'r': NULL}] AS metadata`);
    const { rows, badRows } = await importFile(file, source);
    expect(badRows).toEqual([]);
    expect(rows).toEqual([
      [
        'a',
        micros,
        9223372036854775807n,
        [Number.NaN, Number.NEGATIVE_INFINITY, -0, 0.1, 1e300],
        '12345678901234567890123456789.123456789',
        '/wA=',
        '0001-01-01',
        '23:59:59.999999',
        '9999-12-31T23:59:59.999999',
        '{"a":[1.5,"x"]}',
        true,
        [
          ['a"b\\n', [micros]],
          [null, null],
        ],
      ],
    ]);
  });

  const nested = makeSource(
    's',
    { name: 'day', type: 'DATE' },
    { name: 'at', type: 'DATETIME', mode: 'REPEATED' },
    {
      name: 'r',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [
        { name: 'x', type: 'INT64', mode: 'REQUIRED' },
        { name: 'missing', type: 'STRING' },
        {
          name: 'In',
          type: 'RECORD',
          mode: 'REPEATED',
          fields: [
            { name: 't', type: 'TIMESTAMP' },
            { name: 'j', type: 'JSON' },
            { name: 'one', type: 'RECORD', fields: [{ name: 's', type: 'STRING', mode: 'REPEATED' }] },
          ],
        },
      ],
    },
  );
  const plain = makeSource(
    's',
    { name: 'day', type: 'DATE' },
    { name: 'at', type: 'DATETIME', mode: 'REPEATED' },
    {
      name: 'r',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [
        { name: 'x', type: 'INT64', mode: 'REQUIRED' },
        { name: 't', type: 'TIMESTAMP' },
        { name: 's', type: 'STRING', mode: 'REPEATED' },
      ],
    },
  );

  test.each<[string, Source, string, string[]]>([
    [
      'several elements at two depths',
      nested,
      `[{x: 1, "in": [{t: ${micros}, j: '{"a": 1.50}'}, {t: NULL, j: '[]'}]}, {x: 2, "in": []}]`,
      [],
    ],
    [
      'several elements within one',
      nested,
      `[{x: 1, "in": [{one: {s: ['a', 'b']}}, {one: NULL}, {one: {s: NULL}}]}]`,
      [],
    ],
    [
      'a NULL among the elements',
      nested,
      `[{x: 1}, NULL]`,
      ['r[1]: null in a REPEATED field, which has no such elements: JSON does'],
    ],
    [
      'a NULL deeper down',
      nested,
      `[{x: 1, "in": [NULL, {j: '1'}]}]`,
      ['r[0].In[0]: null in a REPEATED field, which has no such elements: JSON does'],
    ],
    ['a field missing in the second one', nested, '[{x: 1}, {x: NULL}]', ['r[1].x: missing, but REQUIRED']],
    ['a text that is no JSON', nested, `[{x: 1, "in": [{j: '1'}, {j: '{'}]}]`, ['j: not JSON']],
    ['more elements than are taken by columns', nested, '[{x: i} FOR i IN range(150)]', []],
    [
      'times in records',
      plain,
      `[{x: 1, t: TIMESTAMP '2024-01-01 00:00:00.000001', s: ['ä"\n']}, {x: 9007199254740993, t: NULL, s: []}]`,
      [],
    ],
  ])('with %s comes to what its lines do', async (_, source, records, reasons) => {
    const file = await parquetFile(
      `SELECT ${key}, DATE '2024-02-29' AS day, [TIMESTAMP '0001-01-01 00:00:00', TIMESTAMP '2024-01-01 00:00:00.5'] AS at, ${records} AS r`,
    );
    const { badRows, rows } = await importFile(file, source);
    expect(badRows).toEqual(reasons.map((reason) => expect.stringContaining(reason)));
    expect(rows).toHaveLength(1 - reasons.length);
  });

  test('gets JSON in the one form of its type', async () => {
    const source = makeSource('s', { name: 'j', type: 'JSON' });
    const texts = [
      '{"b": 1.50, "a": [1e3, -0, "\\u00e9"]}',
      '{"2": 1, "1": 2}',
      '{"a": 1, "a": 2}',
      '"x"',
      '1',
      'null',
      '{"a": [1e309]}',
    ];
    const file = await parquetFile(
      `SELECT i::VARCHAR AS id, make_timestamp(i) AS "timestamp", j FROM (VALUES ${texts.map((text, i) => `(${i}, '${text}')`).join(', ')}) t(i, j)`,
    );
    const { rows, badRows } = await importFile(file, source);
    expect(badRows).toEqual(['7: j.a[0]: expected a number within FLOAT64, got 1e309']);
    expect(rows.map(([id, , json]) => [id, json])).toEqual([
      ['0', '{"a":[1000.0,0,"é"],"b":1.5}'],
      ['1', '{"1":2,"2":1}'],
      ['2', '{"a":1}'],
      ['3', '"x"'],
      ['4', '1'],
      ['5', null],
    ]);
  });

  test('leaves the store as it was when a row of several does not fit', async () => {
    const source = makeSource('s', { name: 'n', type: 'INT64' });
    const file = await parquetFile(
      `SELECT i::VARCHAR AS id, make_timestamp(i) AS "timestamp", CASE WHEN i = 9 THEN 'x' ELSE i::VARCHAR END AS n FROM range(10) t(i)`,
    );
    const good = await parquetFile(`SELECT 'a' AS id, make_timestamp(7) AS "timestamp", 7 AS n`);
    const store = await openReadingStore(await temporaryFolder(), [file, good], source);
    const add = async (name: string) => {
      const parquet = await openParquetFile(name, { memoryLimit: '200MB', threads: 2 });
      const others = parsedLines(parquet.otherLines(source), source);
      const options = { origin: 'imported', skipBadRows: false, file: parquet.fittingRows(source) } as const;
      return await ingestChunks(store, source, others, options).finally(() => parquet.close());
    };
    await expect(add(file)).rejects.toThrow();
    expect(await readRows(store, source)).toEqual([]);
    expect(await add(good)).toMatchObject({ imported: 1, alreadyThere: 0 });
    expect(await add(good)).toMatchObject({ imported: 0, alreadyThere: 1 });
    expect(await readRows(store, source)).toEqual([['a', 7n, 7n]]);
  });

  test('may have any name and many rows, numbered in the order of the file', async () => {
    const source = makeSource('s', { name: 'n', type: 'INT64' });
    const select = `SELECT i::VARCHAR AS id, make_timestamp(i) AS "timestamp", CASE WHEN i = 7000 THEN 'x' ELSE i::VARCHAR END AS n
      FROM range(10000) t(i)`;
    const { result, badRows, rowCount } = await importFile(
      await parquetFile(select, 'a[0-9]*?.parquet'),
      source,
    );
    expect(rowCount).toBe(10_000);
    expect(result.imported).toBe(9999);
    expect(badRows).toEqual(['7001: n: expected INT64, got "x"']);
  });

  test.each([
    [`'\\x61'::BLOB AS s`, 's: bytes, where the source has none'],
    [`5 AS s`, 's: expected STRING, got 5'],
    [`MAP {'a': 1} AS s`, 's: '],
    [`'x' AS s, 'infinity'::TIMESTAMP AS at`, 'at: expected TIMESTAMP'],
    [`'x' AS s, 1 AS other`, 'other: unknown field'],
    [
      `'x' AS s, [1, NULL] AS list`,
      'list[1]: null in a REPEATED field, which has no such elements: JSON does',
    ],
    [`'x' AS s, '{'::VARCHAR AS json`, 'json: not JSON'],
    [`'x' AS s, '1,"s":"y"'::VARCHAR AS json`, 'json: not JSON'],
  ])('with %s has bad rows', async (columns, reason) => {
    const source = makeSource(
      's',
      { name: 's', type: 'STRING' },
      { name: 'at', type: 'TIMESTAMP' },
      { name: 'list', type: 'INT64', mode: 'REPEATED' },
      { name: 'json', type: 'JSON' },
    );
    const { badRows, rows } = await importFile(await parquetFile(`SELECT ${key}, ${columns}`), source);
    expect(badRows).toEqual([expect.stringContaining(`1: ${reason}`)]);
    expect(rows).toEqual([]);
  });

  test('has its rows in one order, whether they are read by columns or one by one', async () => {
    const fields = [{ name: 'x', type: 'INT64' }];
    const source = makeSource(
      's',
      { name: 'n', type: 'INT64', mode: 'REQUIRED' },
      { name: 'r', type: 'RECORD', mode: 'REPEATED', fields },
    );
    // Of the rows with one id the first counts; every third one has two records, and every 1000th doesn't fit.
    const select = `SELECT (i % 5000)::VARCHAR AS id, make_timestamp(i) AS "timestamp",
      CASE WHEN i % 1000 < 999 THEN i END AS n,
      CASE WHEN i % 3 = 0 THEN [{x: i}, {x: NULL}] WHEN i % 3 = 1 THEN [{x: i}] ELSE [] END AS r FROM range(10000) t(i)`;
    const { result, badRows } = await importFile(await parquetFile(select), source);
    expect(result).toMatchObject({ imported: 4995, repeated: 4995 });
    expect(badRows).toEqual(
      Array.from({ length: 10 }, (_, i) => `${1000 * (i + 1)}: n: missing, but REQUIRED`),
    );
  });

  test.each([
    ['no id and no timestamp', 'SELECT 1 AS i', ['id: missing, but REQUIRED, as is timestamp']],
    [
      'an id of another type',
      `SELECT true AS id, TIMESTAMPTZ '2024-01-01 00:00:00Z' AS "timestamp"`,
      ['id: '],
    ],
    ['a timestamp of another type', `SELECT 'a' AS id, 'x' AS "timestamp"`, ['timestamp: ']],
    ['no timestamp', `SELECT 'a' AS id`, ['timestamp: missing, but REQUIRED']],
  ])('with %s has no valid row', async (_, select, reasons) => {
    const source = makeSource('s', { name: 'i', type: 'INT64' });
    const { result, badRows } = await importFile(await parquetFile(`${select} FROM range(3)`), source);
    expect(result).toMatchObject({ imported: 0, rejectedCount: 3 });
    expect(badRows).toEqual([1, 2, 3].map((line) => expect.stringContaining(`${line}: ${reasons[0] ?? ''}`)));
  });

  test('is refused in the gateway’s own words when it is damaged or cut short, wherever it is', async () => {
    const source = makeSource('s', { name: 't', type: 'STRING' });
    const whole = await parquetFile(`SELECT 'i' || r AS id, TIMESTAMPTZ '2024-01-01 00:00:00Z' AS "timestamp",
      repeat('t' || r, 100) AS t FROM range(50000) rows(r)`);
    const bytes = await readFile(whole);
    const half = Math.floor(bytes.length / 2);
    const damagedFrom = (begin: number) =>
      Uint8Array.from(bytes, (byte, at) =>
        at > begin && at < begin + half / 2 && at % 97 === 0 ? byte ^ 255 : byte,
      );
    const file = join(await temporaryFolder(), 'x.parquet');
    const refusal = expect.objectContaining({
      code: 'BAD_USER_INPUT',
      message: "It can't be read as Parquet: it is damaged or cut short.",
    });
    const begin = 'PAR1';
    for (const content of [
      begin,
      `${begin}${begin}`,
      `${begin}${'x'.repeat(100)}${begin}`,
      bytes.subarray(0, half),
    ]) {
      await writeFile(file, content);
      await expect(openParquetFile(file, { memoryLimit: '200MB', threads: 2 })).rejects.toThrow(refusal);
    }
    // The end of a file, which says what it contains, is read first.
    for (const begin of [2000, half]) {
      await writeFile(file, damagedFrom(begin));
      await expect(importFile(file, source)).rejects.toThrow(refusal);
      const parquet = await openParquetFile(file, { memoryLimit: '200MB', threads: 2 });
      const readLines = async () => {
        for await (const _ of parquet.lines(source));
      };
      await expect(readLines()).rejects.toThrow(refusal);
      parquet.close();
    }
  });
});

describe('columns that get other names', () => {
  const table = (settings: Partial<Source>, ...columns: readonly object[]): Source => ({
    ...makeSource('s', ...columns),
    ...settings,
  });
  const time = `TIMESTAMPTZ '2024-01-01 00:00:00.000001Z'`;
  const number = { name: 'n', type: 'INTEGER' };

  test.each<[string, string, Source, unknown[]]>([
    [
      'by rename and as the time',
      `SELECT 'a' AS key, ${time} AS "time", 1 AS num`,
      table(
        {
          rename: [
            { from: 'key', to: 'id' },
            { from: 'num', to: 'n' },
          ],
        },
        number,
      ),
      ['a', micros, 1n],
    ],
    [
      'as the message, and by the name that rows are sent with',
      `SELECT ${key}, 'hi' AS msg, 'warn' AS "log.level"`,
      table(
        {},
        { name: 'event_message', type: 'STRING' },
        { name: 'log_level', type: 'STRING', description: 'Sent as "log.level".' },
      ),
      ['a', micros, 'hi', 'warn'],
    ],
    [
      'within records, row by row',
      `SELECT ${key}, {'num': 1} AS r`,
      table({ rename: [{ from: 'r.num', to: 'n' }] }, number, {
        name: 'r',
        type: 'RECORD',
        fields: [{ name: 'x', type: 'STRING' }],
      }),
      ['a', micros, 1n, [null]],
    ],
  ])('%s, are those of the source', async (_, select, source, row) => {
    const { rows, badRows } = await importFile(await parquetFile(select), source);
    expect(badRows).toEqual([]);
    expect(rows).toEqual([row]);
  });
});

test('a text keeps a byte order mark at its beginning', async () => {
  const file = await parquetFile(
    `SELECT chr(65279) || 'x' AS id, TIMESTAMP '2024-01-01' AS "timestamp", '{}' AS j, 'y' AS "file"`,
  );
  for (const type of ['JSON', 'INT64']) {
    const source = makeSource('s', { name: 'j', type }, { name: 'file', type: 'STRING' });
    const parquet = await openParquetFile(file, { memoryLimit: '200MB', threads: 1 });
    try {
      // A row that DuckDB takes itself is not among the others.
      const ways = [parquet.lines(source), ...(type === 'JSON' ? [] : [parquet.otherLines(source)])];
      for (const lines of ways) {
        const texts: string[] = [];
        for await (const { text } of lines) texts.push(text);
        expect(texts).toEqual([expect.stringContaining('"id":"\uFEFFx"')]);
      }
    } finally {
      parquet.close();
    }
  }
});
