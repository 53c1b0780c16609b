import { expect, test } from 'vitest';
import { importPlace, parquetOf } from './import-place.ts';

/** Scale and precision as the footer of a Parquet file has them. */
const [of38, of60] = [Buffer.from([0x15, 2, 0x15, 76]), Buffer.from([0x15, 2, 0x15, 120])];

test('decimals with more digits than DuckDB has are refused, naming the column and its type', async () => {
  const bytes = Buffer.from(await parquetOf("SELECT 'a' AS id, CAST(1.5 AS DECIMAL(38, 1)) AS amount"));
  for (let at = bytes.indexOf(of38); at !== -1; at = bytes.indexOf(of38)) of60.copy(bytes, at);
  const place = await importPlace({ 'x.parquet': bytes });
  const reason =
    'The column amount is DECIMAL(60, 1), and Parquet is read with up to 38 digits. Write it with fewer digits, or as a text.';
  await expect(place.infer('x.parquet')).rejects.toThrow(`x.parquet: ${reason}`);
  await place.declare('t', [
    { name: 'id', type: 'STRING' },
    { name: 'amount', type: 'BIGNUMERIC' },
  ]);
  for (const dryRun of [true, false])
    expect(await place.run({ files: ['x.parquet'], dryRun })).toMatchObject({
      code: 1,
      err: `x.parquet: nothing imported. ${reason}\n`,
    });
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
