import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { ManualClock } from '../../../executor/support/manual-clock.ts';
import { ingestBatch } from './ingest-batches.ts';
import { batchOf, makeSource, readRows, temporaryFolder } from './support.ts';

const source = makeSource('logs');
const timestamp = '2026-01-01T12:00:00Z';

/** A store on a disk of 100 GB that a test fills. */
async function storeOnDisk({ reservedBytes }: { readonly reservedBytes?: number } = {}) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const note =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void lines.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  let freeBytes = 50e9;
  const store = await openStore({
    ...{ dataDir: await temporaryFolder(), sources: [source], memoryLimit: '500MB', threads: 2, clock },
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    diskSpace: async () => ({ sizeBytes: 100e9, freeBytes }),
    reservedBytes,
  });
  onTestFinished(() => store.close());
  await clock.advance(0);
  lines.length = 0;
  return {
    store,
    clock,
    async fill(toFree: number): Promise<string[]> {
      freeBytes = toFree;
      await clock.advance(5000);
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
  await clock.advance(1000);
  expect(await added).toEqual([{ imported: 1, duplicates: 0 }]);
  expect(await readRows(store, source)).toHaveLength(1);
});

test('a larger reserve can be set', async () => {
  const { store, fill } = await storeOnDisk({ reservedBytes: 30e9 });
  expect(store.disk?.isFull).toBe(false);
  await fill(29e9);
  expect(store.disk).toEqual({ sizeBytes: 100e9, freeBytes: 29e9, reservedBytes: 30e9, isFull: true });
});
