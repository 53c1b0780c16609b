import {
  Decimal,
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import * as parquet from 'parquet-wasm';
import { expect, test } from 'vitest';
import { importPlace, parquetOf } from './import-place.ts';

/** A Parquet file of ids and decimals with two digits after the point. */
function decimals(precision: number, units: readonly bigint[]): Uint8Array {
  const type = new Decimal(2, precision, 256);
  const words = units.flatMap((unit) =>
    Array.from({ length: 8 }, (_, i) => Number(BigInt.asUintN(32, unit >> BigInt(32 * i)))),
  );
  const text = new Utf8();
  const schema = new Schema([new Field('id', text), new Field('amount', type, true)]);
  const { length } = units;
  const ids =
    vectorFromArray(
      units.map((_, n) => `r${n}`),
      text,
    ).data[0] ?? makeData({ type: text });
  const children = [ids, makeData({ type, length, data: Uint32Array.from(words) })];
  const batch = new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, children }));
  return parquet.writeParquet(parquet.Table.fromIPCStream(tableToIPC(new Table([batch]), 'stream')));
}

test('decimals with more digits than DuckDB has keep all of them', async () => {
  const units = [1234567890123456789012345678901234567850n, -150n, 0n];
  const place = await importPlace({ 'x.parquet': decimals(60, units) });
  const { out } = await place.infer('x.parquet');
  expect(out).toMatch(/"amount",\s+"type": "BIGNUMERIC"/);
  expect(await place.run({ files: ['x.parquet'], dryRun: true })).toMatchObject({ code: 0, err: '' });
  expect(await place.run({ files: ['x.parquet'] })).toMatchObject({ code: 0, err: '' });
  expect((await place.rows('t', 'ORDER BY id')).map(([, amount]) => String(amount))).toEqual([
    '12345678901234567890123456789012345678.5',
    '-1.5',
    '0',
  ]);
});

test('those beyond BIGNUMERIC are refused by their rows, which can be left out', async () => {
  const place = await importPlace({ 'x.parquet': decimals(76, [10n ** 60n, 100n]) });
  await place.infer('x.parquet');
  expect(await place.run({ files: ['x.parquet'] })).toMatchObject({
    code: 1,
    err: expect.stringContaining('x.parquet:1: amount: expected BIGNUMERIC, got "1000000'),
  });
  expect(await place.run({ files: ['x.parquet'], skipBadRows: true })).toMatchObject({ code: 0 });
  expect(await place.rows()).toHaveLength(1);
});

test('those with 38 are taken', async () => {
  const place = await importPlace({
    'x.parquet': await parquetOf(
      "SELECT 'a' AS id, CAST('1234567890123456789012345678901234567.5' AS DECIMAL(38, 1)) AS amount",
    ),
  });
  await place.infer('x.parquet');
  expect(await place.run({ files: ['x.parquet'] })).toMatchObject({ code: 0 });
  expect(JSON.stringify(await place.rows())).toContain('1234567890123456789012345678901234567.5');
});
