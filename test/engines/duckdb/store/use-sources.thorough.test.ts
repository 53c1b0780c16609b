import { cp } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { ConversionBeside } from '../../../../src/engines/duckdb/store/convert-beside.ts';
import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { planSources } from '../../../../src/engines/duckdb/store/prepare-tables.ts';
import { allRowsSql } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import {
  batchOf,
  makeSource,
  openTestStore,
  openTestStoreWith,
  readRows,
  temporaryFolder,
} from './support.ts';

const time = '2024-01-01T00:00:00Z';
const micros = 1704067200000000n;
const imported = { origin: 'imported' } as const;

const record = (...fields: object[]) => ({ name: 'm', type: 'RECORD', mode: 'REPEATED', fields });
const a = { name: 'a', type: 'STRING' };
const before = makeSource('s', record(a));
const grown = makeSource(
  's',
  record(
    { name: 'n', type: 'INT64' },
    a,
    { name: 'list', type: 'STRING', mode: 'REPEATED' },
    { name: 'r', type: 'RECORD', mode: 'REPEATED', fields: [a] },
  ),
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
  { name: 'new', type: 'RECORD', mode: 'REPEATED', fields: [a] },
);

/** Flat rows with and without the record, and one in lists. */
const rows = [
  { id: '1', timestamp: time, m: [{ a: 'x' }] },
  { id: '2', timestamp: time, m: [] },
  { id: '3', timestamp: time, m: [{ a: 'y' }, { a: 'z' }] },
];
const grownRows = [
  ['1', micros, [[null, 'x', [], []]], [], []],
  ['2', micros, [], [], []],
  [
    '3',
    micros,
    [
      [null, 'y', [], []],
      [null, 'z', [], []],
    ],
    [],
    [],
  ],
];

async function filledStore(source: Source = before) {
  const dataDir = await temporaryFolder();
  const store = await openTestStore(dataDir, source);
  await store.append(source, batchOf(...rows), imported);
  return { dataDir, store };
}

/** Rows of a day and a half, one a second, with tags. */
async function* hours(file: string): AsyncGenerator<RowBatch> {
  for (let from = 0; from < 130_000; from += 10_000) {
    const seconds = Array.from({ length: 10_000 }, (_, index) => from + index);
    yield* batchOf(
      ...seconds.map((second) => ({
        id: `${file} ${second}`,
        timestamp: new Date(second * 1000).toISOString(),
        ...{ m: [], tags: ['t'], new: [] },
      })),
    );
  }
}

/** A batch that the test lets through. */
function heldBatch(...held: readonly object[]) {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  async function* batches(): AsyncGenerator<RowBatch> {
    yield* batchOf(...held);
    begun.resolve();
    await release.promise;
  }
  return { batches: batches(), begun: begun.promise, release: release.resolve };
}

test('gives a source new columns and fields while a query reads the old ones', async () => {
  const { store } = await filledStore();
  const reader = await store.connect();
  await store.read(reader, async () => {
    await store.useSources([grown]);
    const seen = await reader.runAndReadAll(`SELECT count(*) FROM ${allRowsSql(before)}`);
    expect(seen.value(0, 0)).toBe(3n);
  });
  reader.closeSync();
  expect(await readRows(store, grown, 'ORDER BY id')).toEqual(grownRows);
  expect(store.sources).toEqual([grown]);
});

test('keeps them in the log, from which a killed gateway is opened again', async () => {
  const { dataDir, store } = await filledStore();
  await store.useSources([grown]);
  await store.append(
    grown,
    batchOf({ id: '4', timestamp: time, m: [{ n: 4, list: [], r: [] }], tags: ['t'], new: [] }),
    imported,
  );
  const copy = await temporaryFolder();
  await cp(dataDir, copy, { recursive: true });
  const again = await openTestStore(copy, grown);
  expect(await readRows(again, grown, 'ORDER BY id')).toEqual([
    ...grownRows,
    ['4', micros, [[4n, null, [], []]], ['t'], []],
  ]);
});

test('adds the rows of an import that began before, in the new form', async () => {
  const { store } = await filledStore();
  const { batches, begun, release } = heldBatch(
    { id: '4', timestamp: time, m: [{ a: 'v' }] },
    { id: '5', timestamp: time, m: [{ a: 'v' }, { a: 'w' }] },
    { id: '6', timestamp: time, m: [] },
  );
  const appended = store.append(before, batches, imported);
  await begun;
  await store.useSources([grown]);
  release();
  expect(await appended).toMatchObject({ imported: 3, alreadyThere: 0 });
  expect((await readRows(store, grown, 'ORDER BY id')).slice(3)).toEqual([
    ['4', micros, [[null, 'v', [], []]], [], []],
    [
      '5',
      micros,
      [
        [null, 'v', [], []],
        [null, 'w', [], []],
      ],
      [],
      [],
    ],
    ['6', micros, [], [], []],
  ]);
});

test('refuses an import that began before, if its source is gone', async () => {
  const { store } = await filledStore();
  const { batches, begun, release } = heldBatch({ id: '4', timestamp: time, m: [] });
  const appended = store.append(before, batches, imported);
  await begun;
  await store.useSources([makeSource('other')]);
  release();
  await expect(appended).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
});

test('changes nothing when rows do not fit, and names file and column', async () => {
  const { store } = await filledStore();
  const other = makeSource('other', a);
  await expect(store.useSources([other, makeSource('s', { name: 'm', type: 'STRING' })])).rejects.toThrow(
    's.json: the column m was changed from REPEATED RECORD to STRING',
  );
  expect(store.sources).toEqual([before]);
  await store.append(before, batchOf({ id: '4', timestamp: time, m: [] }), imported);
  expect(await readRows(store, before)).toHaveLength(4);
});

test('lets a table be sorted afterwards with its new columns', async () => {
  const { store } = await filledStore();
  await store.useSources([grown]);
  // Files with the same hours: three of them put the table out of order.
  for (const file of ['a', 'b', 'c']) await store.append(grown, hours(file), imported);
  const connection = await store.connect();
  const answer = await connection.runAndReadAll(
    'SELECT n, CAST(last - first AS BIGINT) FROM (SELECT count(*) AS n, min(rowid) FILTER ("timestamp" < TIMESTAMP \'1970-01-01 00:01:00\') AS first, max(rowid) FILTER ("timestamp" < TIMESTAMP \'1970-01-01 00:01:00\') AS last FROM flat.s WHERE len(tags) = 1)',
  );
  expect(answer.getRows()).toEqual([[390_000n, 179n]]);
  connection.closeSync();
});

test('converts the columns of a large table in steps, while rows come and queries run', async () => {
  const of = (type: string, name = 'n') =>
    makeSource('s', { name, type, ...(name !== 'n' && { was: 'n' }) }, record({ name: 'f', type }), a);
  const store = await openTestStoreWith({ conversionStepRows: 2 }, await temporaryFolder(), of('INT64'));
  const row = (id: number) => ({
    id: String(id),
    timestamp: time,
    n: id === 3 ? null : id,
    m: [{ f: id }],
    a: 'x',
  });
  await store.append(of('INT64'), batchOf(...[1, 2, 3, 4, 5, 6, 7].map(row)), imported);
  const change = store.useSources([of('NUMERIC')]);
  await store.append(of('INT64'), batchOf(row(8)), imported).catch((error) => {
    // The source may have changed already.
    if (error.code !== 'BACKEND_UNAVAILABLE') throw error;
  });
  await change;
  const [, ...rest] = await readRows(store, of('NUMERIC'), 'ORDER BY id');
  expect(rest.slice(0, 2)).toEqual([
    ['2', micros, '2', [['2']], 'x'],
    ['3', micros, null, [['3']], 'x'],
  ]);
  // With functions, and another name.
  await store.useSources([of('STRING', 'k')]);
  expect((await readRows(store, of('STRING', 'k'), 'ORDER BY id'))[6]).toEqual([
    '7',
    micros,
    '7',
    [['7']],
    'x',
  ]);
  const connection = await store.connect();
  const columns = await connection.runAndReadAll(
    "SELECT column_name FROM duckdb_columns() WHERE table_name = 's'",
  );
  expect(
    columns
      .getRows()
      .flat()
      .filter((name) => String(name).startsWith('.')),
  ).toEqual([]);
  connection.closeSync();
});

test('a conversion in steps that is killed is done by the next start', async () => {
  const of = (type: string) => makeSource('s', { name: 'n', type });
  const dataDir = await temporaryFolder();
  const store = await openTestStore(dataDir, of('INT64'));
  const row = (id: number) => ({ id: String(id), timestamp: time, n: id });
  await store.append(of('INT64'), batchOf(...[1, 2, 3, 4, 5].map(row)), imported);
  const connection = await store.connect();
  const conversion = await ConversionBeside.of(connection, await planSources(connection, [of('NUMERIC')]), 2);
  await conversion.begin(connection);
  expect(await conversion.step(connection, 2)).toBe(2);
  await store.append(of('INT64'), batchOf(row(6)), imported);
  const copy = await temporaryFolder();
  await cp(dataDir, copy, { recursive: true });
  connection.closeSync();
  const again = await openTestStore(copy, of('NUMERIC'));
  const numbers = (await readRows(again, of('NUMERIC'), 'ORDER BY id')).map(([, , n]) => n);
  expect(numbers).toEqual(['1', '2', '3', '4', '5', '6']);
  // Or with the file of before.
  const before = await temporaryFolder();
  await cp(dataDir, before, { recursive: true });
  const unchanged = await openTestStore(before, of('INT64'));
  expect(await readRows(unchanged, of('INT64'))).toHaveLength(6);
});

test('keeps unchanged sources as the same objects', async () => {
  const { store } = await filledStore();
  await store.useSources([structuredClone(before), makeSource('other')]);
  expect(store.sources[0]).toBe(before);
});

test('closing waits for a change of sources that has begun', async () => {
  const dataDir = await temporaryFolder();
  const store = await openTestStore(dataDir, before);
  const inLists = Array.from({ length: 20_000 }, (_, id) => ({
    id: String(id),
    timestamp: time,
    m: [{ a: 'y' }, { a: 'z' }],
  }));
  await store.append(before, batchOf(...inLists), imported);
  let hasEnded = false;
  const change = store
    .useSources([grown])
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  // On a slow machine, it may not have begun: then it is refused.
  await sleep(20);
  await store.close();
  expect(hasEnded).toBe(true);
  await change;
  const reopened = await openTestStore(dataDir, grown);
  expect(await reopened.rowCounts()).toEqual(new Map([['s', inLists.length]]));
});
