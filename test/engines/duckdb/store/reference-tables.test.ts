import { describe, expect, test } from 'vitest';
import { never } from '../../../../src/base/async/race-with-abort.ts';
import type { IngestBatch } from '../../../../src/engines/duckdb/store/insert/ingest-batch.ts';
import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { keySql } from '../../../../src/engines/duckdb/store/tables/key-sql.ts';
import { allRowsSql } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import { RowParser } from '../../../../src/rows/ingest/parse/row-parser.ts';
import { products, productsOf } from './replacing-process.ts';
import { batchOf, makeSource, openTestStore, readRows, sourceOf, temporaryFolder } from './support.ts';

const imported = { origin: 'imported' } as const;
const row = (sku: string, version: number, tags: readonly string[] = []) => ({
  sku,
  version,
  tags: tags.map((name) => ({ name })),
});

/** The rows of one request. */
function requestOf(rows: readonly object[], source = products): IngestBatch {
  const parser = new RowParser(source);
  for (const [index, each] of rows.entries())
    expect(parser.add({ number: index + 1, text: JSON.stringify(each) })).toBeUndefined();
  return { source, parts: parser.take(), minTimestamp: 0n, ranges: [] };
}

async function* nothing(): AsyncGenerator<RowBatch> {}

async function emptyStore(): Promise<Store> {
  return await openTestStore(await temporaryFolder(), products);
}

async function versions(store: Store): Promise<string[]> {
  return (await readRows(store, products, 'ORDER BY sku')).map(([sku, version]) => `${sku}${version}`);
}

describe('a row of a reference table', () => {
  test('replaces the one with its id, and the last of several counts', async () => {
    const store = await emptyStore();
    expect(await store.append(products, batchOf(row('a', 1), row('b', 1), row('a', 2)), imported)).toEqual({
      ...{ imported: 2, repeated: 1, alreadyThere: 0, replaced: 0 },
    });
    // Rows with several elements are in a table of their own.
    const next = batchOf(row('b', 3, ['x', 'y']), row('c', 3));
    expect(await store.append(products, next, imported)).toEqual({
      ...{ imported: 2, repeated: 0, alreadyThere: 0, replaced: 1 },
    });
    expect(await versions(store)).toEqual(['a2', 'b3', 'c3']);
    await store.append(products, batchOf(row('b', 4)), imported);
    expect(await versions(store)).toEqual(['a2', 'b4', 'c3']);
  });

  test('replaces it among the events of a request as well', async () => {
    const store = await emptyStore();
    await store.ingest([requestOf([row('a', 1), row('b', 1)])]);
    await store.ingest([requestOf([row('b', 2), row('c', 2), row('c', 3)])]);
    await store.ingest([requestOf([row('c', 4, ['x', 'y'])])]);
    await store.ingest([requestOf([row('c', 5)])]);
    expect(await versions(store)).toEqual(['a1', 'b2', 'c5']);
  });

  test('stays after the store is opened again', async () => {
    const folder = await temporaryFolder();
    const store = await openTestStore(folder, products);
    for (const version of [1, 2, 3])
      await store.append(products, batchOf(row('a', version), row(`b${version}`, version)), imported);
    await store.close();
    expect(await versions(await openTestStore(folder, products))).toEqual(['a3', 'b11', 'b22', 'b33']);
  });
});

describe('values of a removed column', () => {
  const less = { ...products, columns: products.columns.filter(({ name }) => name !== 'version') };
  const unversioned = (sku: string) => ({ sku, tags: [] });

  test.each([
    ['of an import', (store: Store) => store.append(less, batchOf(unversioned('a')), imported)],
    ['of a request', (store: Store) => store.ingest([requestOf([unversioned('a')], less)])],
  ])('stay when rows %s replace others, and are back with the column', async (_, replace) => {
    const folder = await temporaryFolder();
    const store = await openTestStore(folder, products);
    await store.append(products, batchOf(row('a', 1), row('b', 2), row('c', 3, ['x', 'y'])), imported);
    await store.useSources([less]);
    await replace(store);
    await store.close();
    const again = await openTestStore(folder, products);
    expect(await readRows(again, products, 'ORDER BY sku')).toEqual([
      ['a', null, []],
      ['b', 2n, []],
      ['c', 3n, [['x'], ['y']]],
    ]);
  });

  test('go with the rows that are replaced as a whole', async () => {
    const folder = await temporaryFolder();
    const store = await openTestStore(folder, products);
    await store.append(products, batchOf(row('a', 1), row('b', 2)), imported);
    await store.useSources([less]);
    await store.append(less, batchOf(unversioned('a')), { ...imported, isReplacing: true });
    await store.useSources([products]);
    expect(await readRows(store, products)).toEqual([['a', null, []]]);
  });
});

describe('replacing all rows', () => {
  test('leaves the new ones', async () => {
    const store = await emptyStore();
    await store.append(products, batchOf(row('a', 1), row('b', 1, ['x', 'y'])), imported);
    const replacing = { ...imported, isReplacing: true };
    expect(await store.append(products, batchOf(row('c', 2), row('c', 3)), replacing)).toEqual({
      ...{ imported: 1, repeated: 1, alreadyThere: 0, replaced: 2 },
    });
    expect(await versions(store)).toEqual(['c3']);
    expect(await store.append(products, nothing(), replacing)).toMatchObject({ imported: 0, replaced: 1 });
    expect(await versions(store)).toEqual([]);
  });

  test('changes nothing if a row is bad', async () => {
    const store = await emptyStore();
    await store.append(products, batchOf(row('a', 1)), imported);
    async function* failing() {
      yield* batchOf(row('b', 2));
      throw new Error('a bad row');
    }
    await expect(store.append(products, failing(), { ...imported, isReplacing: true })).rejects.toThrow(
      'a bad row',
    );
    expect(await versions(store)).toEqual(['a1']);
  });

  test('is refused where rows have times', async () => {
    const events = makeSource('events');
    const store = await openTestStore(await temporaryFolder(), events);
    await expect(store.append(events, nothing(), { ...imported, isReplacing: true })).rejects.toThrow(
      "The rows of events have times: they can't be replaced as a whole.",
    );
  });

  test('is seen as a whole: a query reads the old rows or the new ones', async () => {
    const store = await emptyStore();
    const count = 3_000;
    await store.append(products, productsOf(0, count), imported);
    let isDone = false;
    const reading = async () => {
      let highest = 0;
      const connection = await store.connect();
      try {
        while (!isDone) {
          const seen = await store.read(connection, async () => {
            const sql = `SELECT count(*), min(version), max(version), count(DISTINCT sku) FROM ${allRowsSql(products)}`;
            const first = await connection.runAndReadAll(sql);
            const second = await connection.runAndReadAll(sql);
            return [first, second].map((reader) => reader.getRows()[0]?.map(Number));
          });
          const [[, version = 0] = []] = seen;
          const whole = [count, version, version, count];
          expect(seen).toEqual([whole, whole]);
          expect(version).toBeGreaterThanOrEqual(highest);
          highest = Math.max(highest, version);
        }
      } finally {
        connection.closeSync();
      }
    };
    const readers = [reading(), reading()];
    for (let version = 1; version <= 10; version++) {
      // Rows are replaced as a whole, or all by their ids.
      const isReplacing = version % 2 === 0;
      await store.append(products, productsOf(version, count), { ...imported, isReplacing });
    }
    isDone = true;
    await Promise.all(readers);
    expect(await versions(store)).toHaveLength(count);
  });
});

describe('beside rows without ids', () => {
  test('a deletion by keys removes equal rows together, and no others', async () => {
    const pairs = sourceOf('pairs', [
      { name: 'a', type: 'STRING' },
      { name: 'b', type: 'STRING' },
    ]);
    const store = await openTestStore(await temporaryFolder(), pairs);
    await store.append(
      pairs,
      batchOf({ a: 'x, y', b: 'z' }, { a: 'x', b: 'y, z' }, { a: 'x' }, { a: 'x', b: 'y, z' }),
      imported,
    );
    const connection = await store.connect();
    const found = await connection.runAndReadAll(
      `SELECT ${keySql(pairs).rowId} FROM flat.pairs WHERE b = 'y, z'`,
    );
    connection.closeSync();
    async function* keys() {
      yield found.getRows().map(([id]) => ({ id: String(id), timestamp: 0n }));
    }
    expect(await store.deleteRows(pairs, { keys: keys() }, never)).toBe(2);
    expect(await readRows(store, pairs)).toEqual([
      ['x, y', 'z'],
      ['x', null],
    ]);
  });
});
