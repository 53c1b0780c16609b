import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../../src/engines/duckdb/store/open-store.ts';
import { ingestBatch } from '../ingest-batches.ts';
import { makeSource, readRows, temporaryFolder } from '../support.ts';

const source = makeSource('logs');
const timestamp = '2026-01-01T12:00:00Z';

async function storeWithLogOf(logBytes: number) {
  const dataDir = await temporaryFolder();
  const sizeOf = (file: string) =>
    stat(join(dataDir, file)).then(
      ({ size }) => size,
      () => 0,
    );
  const store = await openStore({
    ...{ dataDir, sources: [source], memoryLimit: '500MB', threads: 2, logBytes },
  });
  onTestFinished(() => store.close());
  return {
    store,
    logSize: () => sizeOf('store.duckdb.wal'),
    ingest: (id: string) => store.ingest([ingestBatch(source, [{ id, timestamp }])]),
  };
}

test('rows leave the write-ahead log once it is long enough', async () => {
  const { store, logSize, ingest } = await storeWithLogOf(1);
  await ingest('a');
  await expect.poll(logSize).toBe(0);
  expect(await readRows(store, source)).toHaveLength(1);
  const { logSize: logSizeOfOther, ingest: ingestOther } = await storeWithLogOf(1e9);
  for (const id of ['a', 'b', 'c']) await ingestOther(id);
  expect(await logSizeOfOther()).toBeGreaterThan(0);
});

test('no checkpoint happens during a task that holds them, and rows are added meanwhile', async () => {
  const { store, logSize, ingest } = await storeWithLogOf(1);
  await store.hold(async () => {
    await ingest('a');
    const size = await logSize();
    expect(size).toBeGreaterThan(0);
    await ingest('b');
    expect(await logSize()).toBeGreaterThan(size);
  }, new AbortController().signal);
  await expect.poll(logSize).toBe(0);
  expect(await readRows(store, source)).toHaveLength(2);
});
