import { expect, test } from 'vitest';
import { receiveRows } from '../../../src/rows/ingest/receive.ts';
import { products } from '../../engines/duckdb/store/replacing-process.ts';
import { batchOf, openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { parse, reasons } from './events/support.ts';
import { importPlace, parquetOf } from './import-place.ts';

const schema = {
  id: 'sku',
  fields: [
    { name: 'sku', type: 'STRING' },
    { name: 'price', type: 'NUMERIC' },
  ],
};

const refusal =
  'nothing imported. There are no valid rows, and without one the rows of t are not replaced. To remove them all, use "rows delete t --where true".\n';

test('a file or an input without rows replaces none', async () => {
  const place = await importPlace({
    'rows.csv': 'sku,price\na,1\nb,2\n',
    'header.csv': 'sku,price\n',
    'empty.csv': '',
    'empty.ndjson': '',
    'array.json': '[]',
    'bad.csv': 'sku,price\na,x\n',
    'one.csv': 'sku,price\nc,3\n',
  });
  await place.declare('t', schema);
  await place.run({ files: ['rows.csv'] });
  for (const name of ['header.csv', 'empty.ndjson', 'array.json'])
    for (const dryRun of [false, true])
      expect(await place.run({ files: [name], replace: true, dryRun })).toMatchObject({
        code: 1,
        err: `${name}: ${refusal}`,
      });
  expect(await place.run({ files: ['-'], replace: true })).toMatchObject({
    code: 1,
    err: `stdin: ${refusal}`,
  });
  expect(await place.run({ files: ['bad.csv'], replace: true, skipBadRows: true })).toMatchObject({
    code: 1,
    err: expect.stringContaining(refusal),
  });
  expect(await place.run({ files: ['empty.csv'], replace: true })).toMatchObject({
    code: 1,
    err: "empty.csv: nothing imported. The file can't be imported: it is empty, and CSV begins with a header.\n",
  });
  expect(await place.rows('t', 'ORDER BY sku')).toHaveLength(2);
  expect(await place.run({ files: ['one.csv'], replace: true })).toMatchObject({
    code: 0,
    out: 'imported 1 row into t (2 replaced)\n',
  });
});

test('nor does an upload without rows, or with bad ones only', async () => {
  const store = await openTestStore(await temporaryFolder(), products);
  await store.append(products, batchOf({ sku: 'a', version: 1 }), { origin: 'imported' });
  for (const body of ['', '{"sku":"a","version":"x"}\n']) {
    async function* bytes() {
      yield Buffer.from(body);
    }
    const options = { skipBadRows: true, isReplacing: true, signal: new AbortController().signal };
    await expect(receiveRows(store, products.name, bytes(), options)).rejects.toThrow(
      'There are no valid rows',
    );
  }
  expect(await readRows(store, products)).toHaveLength(1);
});

test('a row of a reference table without its key is refused, in each form', async () => {
  const place = await importPlace({
    'a.csv': 'sku,price\n,1\na,2\n"",3\n',
    'b.ndjson': '{"price":1}\n{"sku":null}\n{"sku":"b"}\n{"sku":""}\n',
    'c.parquet': await parquetOf(
      "SELECT * FROM (VALUES (NULL, 1::DECIMAL(5,2)), ('c', 2), ('', 3)) t(sku, price)",
    ),
  });
  await place.declare('t', schema);
  const missing = 'sku: missing, but it identifies the rows';
  for (const [name, lines] of [
    ['a.csv', [2, 4]],
    ['b.ndjson', [1, 2, 4]],
    ['c.parquet', [1, 3]],
  ] as const) {
    const { err } = await place.run({ files: [name], skipBadRows: true });
    for (const line of lines) expect(err).toContain(`${name}:${line}: ${missing}\n`);
  }
  expect((await place.rows('t', 'ORDER BY sku')).map(([sku]) => sku)).toEqual(['a', 'b', 'c']);
});

test('an event without the key of its reference table is refused as well', () => {
  const events = [{ version: 1 }, { sku: '', version: 2 }, { sku: 'a' }];
  const parsed = parse(events, products, { source: products.name, partial: true });
  expect(parsed.sources).toMatchObject([{ count: 1 }]);
  expect(reasons(parsed)).toEqual([
    'event 1: missing: sku: missing, but it identifies the rows',
    'event 2: missing: sku: missing, but it identifies the rows',
  ]);
});
