import {
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimeNanosecond,
  tableToIPC,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { importPlace, parquetOf } from './import-place.ts';

function arrow(nanos: bigint): Uint8Array {
  const type = new TimeNanosecond();
  const schema = new Schema([new Field('at', type)]);
  const column = makeData({ type, length: 1, data: BigInt64Array.of(nanos) });
  const children = [column];
  return tableToIPC(
    new Table([new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: 1, children }))]),
    'file',
  );
}

test('that times of Parquet and Arrow are cut is said once', async () => {
  const files = {
    'a.parquet': await parquetOf("SELECT TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS at FROM range(2)"),
    'b.parquet': await parquetOf("SELECT TIMESTAMP_NS '2024-01-01 00:00:00.123456' AS at"),
    'c.arrow': arrow(1_000_001n),
    'd.arrow': arrow(1_000_000n),
  };
  for (const [name, isCut] of [
    ['a.parquet', true],
    ['b.parquet', false],
    ['c.arrow', true],
    ['d.arrow', false],
  ] as const) {
    const place = await importPlace(files);
    const { err } = await place.infer(name);
    expect(err.includes('some times are finer than a microsecond; import cuts them')).toBe(isCut);
    const said = isCut
      ? `${name}: some times are finer than a microsecond; they are cut to microseconds\n`
      : '';
    expect(await place.run({ files: [name], dryRun: true })).toMatchObject({ code: 0, err: said });
    expect(await place.run({ files: [name, name] })).toMatchObject({ code: 0, err: said });
  }
});
