import {
  DateDay,
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { importPlace, parquetOf } from './import-place.ts';

const fields = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
  { name: 'day', type: 'DATE' },
];

/** A file whose second row has a time, and whose third row has a date, that no text has. */
function arrow(): Uint8Array {
  const time = new TimestampMillisecond('UTC');
  const day = new DateDay();
  const schema = new Schema([
    new Field('id', new Utf8()),
    new Field('timestamp', time),
    new Field('day', day),
  ]);
  const children = [
    vectorFromArray(['a', 'b', 'c'], new Utf8()).data[0] ?? makeData({ type: new Utf8() }),
    makeData({
      type: time,
      length: 3,
      data: BigInt64Array.of(1_704_067_200_000n, 9_000_000_000_000_000n, 1_704_067_200_000n),
    }),
    makeData({ type: day, length: 3, data: Int32Array.of(0, 0, 2_000_000_000) }),
  ];
  const batch = new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: 3, children }));
  return tableToIPC(new Table([batch]), 'file');
}

describe('Arrow', () => {
  test('names the rows, and can leave them out', async () => {
    const place = await importPlace({ 'x.arrow': arrow() });
    const { err } = await place.infer('x.arrow');
    expect(err).toContain(
      "2 rows can't be imported; the first is row 2: timestamp: a time outside the years 1 to 9999.",
    );
    await place.declare('t', fields);
    const reasons =
      'x.arrow:2: timestamp: a time outside the years 1 to 9999\nx.arrow:3: day: a date outside the years 1 to 9999\n';
    expect(await place.run({ files: ['x.arrow'] })).toMatchObject({
      code: 1,
      err: `${reasons}x.arrow: nothing imported: 2 invalid rows\n`,
    });
    expect(await place.run({ files: ['x.arrow'], dryRun: true })).toMatchObject({ err: reasons });
    expect(await place.run({ files: ['x.arrow'], skipBadRows: true })).toMatchObject({ code: 0 });
    expect((await place.rows()).map(([id]) => id)).toEqual(['a']);
  });
});

describe('Parquet', () => {
  test('names the column whose times DuckDB cannot read', async () => {
    const marked = 1_234_567_890_123_456n;
    const file = Buffer.from(
      await parquetOf(
        `SELECT * FROM (VALUES ('a', CAST(make_timestamp_ms(${marked}) AS TIMESTAMP_MS)), ('b', TIMESTAMP_MS '2024-01-01')) t(id, "timestamp")`,
      ),
    );
    const [before, after] = [marked, 9_000_000_000_000_000_000n].map((value) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(value);
      return bytes;
    }) as [Buffer, Buffer];
    for (let at = file.indexOf(before); at !== -1; at = file.indexOf(before)) after.copy(file, at);
    const place = await importPlace({ 'x.parquet': file });
    const reason =
      "It can't be read as Parquet: a time in timestamp is out of range. Times are from the year 1 to 9999.";
    await expect(place.infer('x.parquet')).rejects.toThrow(reason);
    await place.declare('t', fields);
    for (const options of [{}, { dryRun: true }, { skipBadRows: true }])
      expect(await place.run({ files: ['x.parquet'], ...options })).toMatchObject({
        code: 1,
        err: `x.parquet: nothing imported. ${reason}\n`,
      });
  });

  test('names rows whose times no source has, and can leave them out', async () => {
    const place = await importPlace({
      'x.parquet': await parquetOf(
        `SELECT * FROM (VALUES ('a', TIMESTAMP '2024-01-01'), ('b', TIMESTAMP '200000-01-01')) t(id, "timestamp")`,
      ),
    });
    await place.infer('x.parquet');
    await place.declare('t', fields);
    expect(await place.run({ files: ['x.parquet'], skipBadRows: true })).toMatchObject({
      code: 0,
      err: expect.stringContaining('x.parquet:2: timestamp: '),
    });
    expect(await place.rows()).toHaveLength(1);
  });
});
