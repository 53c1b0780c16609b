import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../../../../src/definitions/sources/source.ts';
import { openStore } from '../../../../../src/engines/duckdb/store/open-store.ts';
import { ManualClock } from '../../../../calls/executor/support/manual-clock.ts';
import { ingestBatch } from '../ingest-batches.ts';
import { batchOf, makeSource, readRows, temporaryFolder } from '../support.ts';

const source = makeSource('logs');
const timestamp = '2026-01-01T12:00:00Z';

/** A store on a disk of 100 GB, or another size, that a test fills. */
async function storeOnDisk({
  reservedBytes,
  sizeBytes = 100e9,
  sources = [source],
}: {
  readonly reservedBytes?: number;
  readonly sizeBytes?: number;
  readonly sources?: readonly Source[];
} = {}) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const note =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void lines.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  let freeBytes = sizeBytes / 2;
  const store = await openStore({
    ...{ dataDir: await temporaryFolder(), sources, memoryLimit: '500MB', threads: 2, clock },
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    diskSpace: async () => ({ sizeBytes, freeBytes }),
    reservedBytes,
  });
  onTestFinished(() => store.close());
  await clock.advance(0);
  lines.length = 0;
  return {
    store,
    clock,
    /** Fills the disk between two looks at it. */
    fillUnseen(toFree: number): void {
      freeBytes = toFree;
    },
    async fill(toFree: number): Promise<string[]> {
      freeBytes = toFree;
      await clock.advance(5000);
      await expect.poll(() => store.disk?.freeBytes).toBe(toFree);
      return lines.splice(0);
    },
  };
}

test('a disk that fills up is warned of once at 80 and once at 90 percent, and again after it was emptier', async () => {
  const { fill } = await storeOnDisk();
  expect(await fill(21e9)).toEqual([]);
  const eighty = 'warn: the store’s disk fills up {"usedPercent":80,"freeBytes":20000000000}';
  expect(await fill(20e9)).toEqual([eighty]);
  expect(await fill(20e9)).toEqual([]);
  expect(await fill(9.5e9)).toEqual([
    'warn: the store’s disk fills up {"usedPercent":90,"freeBytes":9500000000}',
  ]);
  expect(await fill(9e9)).toEqual([]);
  // At the border, it isn't repeated with every file that comes and goes.
  expect(await fill(20.5e9)).toEqual([]);
  expect(await fill(20e9)).toEqual([]);
  expect(await fill(50e9)).toEqual([]);
  expect(await fill(20e9)).toEqual([eighty]);
});

test('rows are refused before the disk is full, and added when it has space again', async () => {
  const { store, clock, fill } = await storeOnDisk();
  await fill(0.9e9);
  const message = 'The store cannot add rows: its disk has 900 MB free, and 1,000 MB are reserved.';
  const refusal = expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', message });
  await expect(store.ingest([ingestBatch(source, [{ id: 'a', timestamp }])])).rejects.toEqual(refusal);
  await expect(
    store.append(source, batchOf({ id: 'a', timestamp: '2026-01-01T12:00:00' }), { origin: 'imported' }),
  ).rejects.toEqual(refusal);
  expect(store.disk?.isFull).toBe(true);
  await fill(5e9);
  const added = store.ingest([ingestBatch(source, [{ id: 'a', timestamp }])]);
  expect(await clock.advanceUntil(added)).toEqual([{ imported: 1, duplicates: 0 }]);
  expect(await readRows(store, source)).toHaveLength(1);
});

test('a larger reserve can be set', async () => {
  const { store, fill } = await storeOnDisk({ reservedBytes: 30e9 });
  expect(store.disk?.isFull).toBe(false);
  await fill(29e9);
  expect(store.disk).toEqual({ sizeBytes: 100e9, freeBytes: 29e9, reservedBytes: 30e9, isFull: true });
});

test.each([
  { sizeBytes: 60e6, reservedBytes: 15e6 },
  { sizeBytes: 300e6, reservedBytes: 75e6 },
  { sizeBytes: 1e9, reservedBytes: 100e6 },
  { sizeBytes: 20e9, reservedBytes: 400e6 },
  { sizeBytes: 1e12, reservedBytes: 1e9 },
])('of a disk of $sizeBytes bytes, $reservedBytes are reserved', async ({ sizeBytes, reservedBytes }) => {
  const { store } = await storeOnDisk({ sizeBytes });
  expect(store.disk?.reservedBytes).toBe(reservedBytes);
});

test('the disk is looked at before each commit, which must leave the reserve free', async () => {
  const { store, clock, fillUnseen } = await storeOnDisk({ sizeBytes: 1e9 });
  const ingest = (id: string) =>
    clock.advanceUntil(store.ingest([ingestBatch(source, [{ id, timestamp }])]), 100);
  await ingest('a');
  fillUnseen(100e6 + 1);
  await expect(ingest('b')).rejects.toThrow('its disk has 101 MB free, and 100 MB are reserved');
  expect(store.disk?.isFull).toBe(false);
  fillUnseen(98e6);
  await expect(ingest('c')).rejects.toThrow('its disk has 98 MB free, and 100 MB are reserved');
  expect(store.disk?.isFull).toBe(true);
  expect(await readRows(store, source)).toHaveLength(1);
});

test('an import ends as soon as the disk is full', async () => {
  const { store, fillUnseen } = await storeOnDisk();
  async function* batches() {
    yield* batchOf({ id: 'a', timestamp: '2026-01-01T12:00:00' });
    fillUnseen(0.5e9);
    yield* batchOf({ id: 'b', timestamp: '2026-01-01T12:00:00' });
  }
  await expect(store.append(source, batches(), { origin: 'imported' })).rejects.toThrow('its disk has');
  expect(await readRows(store, source)).toEqual([]);
});

/** A store on a disk of 60 MB, of which 15 MB are reserved, and rows of about a kilobyte to fill it with. */
async function storeOfLongRows() {
  const source = makeSource('logs', { name: 'text', type: 'STRING' });
  const { store, clock, fillUnseen } = await storeOnDisk({ sizeBytes: 60e6, sources: [source] });
  const random = () => Array.from({ length: 90 }, () => Math.random().toString(36)).join('');
  return {
    store,
    fillUnseen,
    ingest(id: string, rows: number) {
      const made = Array.from({ length: rows }, (_, n) => ({ id: `${id}${n}`, timestamp, text: random() }));
      return clock.advanceUntil(store.ingest([ingestBatch(source, made)]));
    },
    deleteAll() {
      const before = BigInt(Date.parse('2027-01-01')) * 1000n;
      return store.deleteRows(source, { before }, new AbortController().signal);
    },
  };
}

const isRefused = 'its disk has 14 MB free, and 15 MB are reserved';

test('space of deleted rows in the file of the store counts as free', async () => {
  const { ingest, fillUnseen, deleteAll } = await storeOfLongRows();
  await ingest('a', 8000);
  fillUnseen(14e6);
  await expect(ingest('b', 1)).rejects.toThrow(isRefused);
  expect(await deleteAll()).toBe(8000);
  await expect
    .poll(() => ingest('c', 1).catch(String), { timeout: 30_000 })
    .toEqual([{ imported: 1, duplicates: 0 }]);
});

test('it does so once the query that could still read the rows has ended', async () => {
  const { store, ingest, fillUnseen, deleteAll } = await storeOfLongRows();
  await ingest('a', 8000);
  fillUnseen(14e6);
  const connection = await store.connect();
  const reading = Promise.withResolvers<void>();
  const query = store.read(connection, () => reading.promise);
  expect(await deleteAll()).toBe(8000);
  for (let n = 0; n < 6; n++) await expect(ingest(`b${n}`, 1)).rejects.toThrow(isRefused);
  reading.resolve();
  await query;
  connection.closeSync();
  await expect
    .poll(() => ingest('c', 1).catch(String), { timeout: 30_000 })
    .toEqual([{ imported: 1, duplicates: 0 }]);
});
