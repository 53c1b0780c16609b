import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../../src/base/system/clock.ts';
import { sizeOfFile } from '../../../../../src/base/system/exists.ts';
import type { Source } from '../../../../../src/definitions/sources/source.ts';
import { openStore } from '../../../../../src/engines/duckdb/store/open-store.ts';
import { flatTable } from '../../../../../src/engines/duckdb/store/tables/row-table.ts';
import { blockRows } from '../../../../../src/engines/duckdb/store/tables/time-order.ts';
import {
  groupsToMerge,
  type RowGroup,
  readRowGroups,
} from '../../../../../src/engines/duckdb/store/upkeep/row-groups.ts';
import { ingestBatch } from '../ingest-batches.ts';
import { batchOf, makeSource, readRows, temporaryFolder } from '../support.ts';

function groups(...rows: readonly number[]): RowGroup[] {
  let firstRow = 0n;
  return rows.map((count) => {
    const group = { firstRow, endRow: firstRow + BigInt(count), rows: count };
    firstRow = group.endRow;
    return group;
  });
}

const sizes = (merged: readonly RowGroup[]) => merged.map(({ rows }) => rows).sort((a, b) => a - b);

test('small row groups are merged once there are eight, or enough rows for a large one', () => {
  expect(groupsToMerge([])).toEqual([]);
  expect(groupsToMerge(groups(blockRows, 5, 5, 5, 5, 5, 5, 5, 9))).toEqual([]);
  expect(sizes(groupsToMerge(groups(blockRows, 5, 5, 5, blockRows, 5, 5, 5, 5, 5, 9)))).toEqual(
    Array(8).fill(5),
  );
  expect(sizes(groupsToMerge(groups(50_000, 50_000, 50_000, 50_000, 9)))).toEqual(Array(3).fill(50_000));
});

test('a group much larger than the others is left until they have grown', () => {
  expect(sizes(groupsToMerge(groups(40_000, ...Array(8).fill(10), 9)))).toEqual(Array(8).fill(10));
  expect(sizes(groupsToMerge(groups(300, ...Array(8).fill(10), 9)))).toEqual([...Array(8).fill(10), 300]);
});

test('rows are written into few groups however often there is a checkpoint, and each stays there once', async () => {
  const source = makeSource('logs', { name: 'n', type: 'INT64' });
  const store = await openStore({
    ...{ dataDir: await temporaryFolder(), sources: [source], memoryLimit: '500MB', threads: 2 },
    logBytes: 1,
  });
  onTestFinished(() => store.close());
  const requests = 30;
  const minute = (n: number) => `2026-01-01T12:${String(n).padStart(2, '0')}:00Z`;
  for (let n = 0; n < requests; n++) {
    await store.ingest([ingestBatch(source, [{ id: `row ${n}`, timestamp: minute(n), n }])]);
  }
  const connection = await store.connect();
  onTestFinished(() => connection.closeSync());
  const groupCount = async () => (await readRowGroups(connection, flatTable(source))).length;
  await expect.poll(groupCount, { timeout: 10_000 }).toBeLessThan(requests);
  expect((await readRows(store, source, 'ORDER BY n')).map(([id]) => id)).toEqual(
    Array.from({ length: requests }, (_, n) => `row ${n}`),
  );
});

test('nothing is compacted while the disk has no room for it', async () => {
  const source = makeSource('logs');
  const dataDir = await temporaryFolder();
  let freeBytes = 101e6;
  const store = await openStore({
    ...{ dataDir, sources: [source], memoryLimit: '500MB', threads: 2, logBytes: 1 },
    diskSpace: async () => ({ sizeBytes: 1e9, freeBytes }),
  });
  onTestFinished(() => store.close());
  const connection = await store.connect();
  onTestFinished(() => connection.closeSync());
  /** The row groups after some commits with a checkpoint each, and after the compaction that follows. */
  const groupsAfter = async (prefix: string, requests: number) => {
    for (let n = 0; n < requests; n++) {
      await store.ingest([ingestBatch(source, [{ id: `${prefix}${n}`, timestamp: '2026-01-01T12:00:00Z' }])]);
      await expect.poll(() => sizeOfFile(join(dataDir, 'store.duckdb.wal'))).toBe(0);
    }
    await store.append(source, batchOf({ id: prefix, timestamp: '2026-01-01T12:00:00' }), {
      origin: 'imported',
    });
    return (await readRowGroups(connection, flatTable(source))).length;
  };
  expect(await groupsAfter('a', 20)).toBeGreaterThanOrEqual(20);
  freeBytes = 900e6;
  expect(await groupsAfter('b', 10)).toBeLessThan(20);
});

test('a change of the sources does not wait for a compaction that waits for readers, which is done later', async () => {
  const source = makeSource('logs');
  const waiting = Promise.withResolvers<void>();
  const store = await openStore({
    ...{ dataDir: await temporaryFolder(), sources: [source], memoryLimit: '500MB', threads: 2, logBytes: 1 },
    clock: {
      ...systemClock,
      // What waits for another moment without readers waits for ever.
      sleep(_, signal) {
        waiting.resolve();
        return systemClock.sleep(1e9, signal);
      },
    },
  });
  onTestFinished(() => store.close());
  const connection = await store.connect();
  onTestFinished(() => connection.closeSync());
  let requests = 0;
  const ingest = async (into: Source) => {
    requests += 1;
    await store.ingest([ingestBatch(into, [{ id: `${requests}`, timestamp: '2026-01-01T12:00:00Z' }])]);
  };
  const grown = makeSource('logs', { name: 'n', type: 'INT64' });
  await store.read(connection, async () => {
    let isWaiting = false;
    void waiting.promise.then(() => {
      isWaiting = true;
    });
    while (!isWaiting) await ingest(source);
    await store.useSources([grown]);
  });
  await expect
    .poll(async () => {
      await ingest(grown);
      return (await readRowGroups(connection, flatTable(grown))).length;
    })
    .toBeLessThan(5);
  expect(await readRows(store, grown)).toHaveLength(requests);
});
