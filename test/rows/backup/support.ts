import { join } from 'node:path';
import { never } from '../../../src/base/async/race-with-abort.ts';
import { systemClock } from '../../../src/base/system/clock.ts';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';
import { backUp } from '../../../src/rows/backup/back-up.ts';
import { restore } from '../../../src/rows/backup/restore.ts';
import { ingestBatch } from '../../engines/duckdb/store/ingest-batches.ts';
import { makeSource, openTestStore, readRows } from '../../engines/duckdb/store/support.ts';

export const source = makeSource('s', { name: 'text', type: 'STRING' });

const limits = { memoryLimit: '500MB', threads: 1, clock: systemClock, signal: never };

type BackUpOptions = Parameters<typeof backUp>[1];
type RestoreOptions = Parameters<typeof restore>[1];

/** Backs up the store of a data folder, which no process has open. */
export function backedUp(dataDir: string, file: string, options: Partial<BackUpOptions> = {}) {
  const fast = { bytesPerSecond: Number.POSITIVE_INFINITY, force: false, onStep: () => undefined };
  return backUp(file, { ...limits, ...fast, dataDir, ...options });
}

export function restored(file: string, dataDir: string, options: Partial<RestoreOptions> = {}) {
  return restore(file, { ...limits, onStep: () => undefined, dataDir, ...options });
}

/** A data folder whose store has rows with these ids. */
export async function folderWith(folder: string, ids: readonly string[]): Promise<string> {
  const dataDir = join(folder, 'data');
  const store = await openTestStore(dataDir, source);
  await addRows(store, ids);
  await store.close();
  return dataDir;
}

export async function addRows(store: Store, ids: readonly string[]): Promise<void> {
  const rows = ids.map((id) => ({ id, timestamp: '2026-01-01T00:00:00Z', text: `${id} `.repeat(20) }));
  await store.ingest([ingestBatch(source, rows)]);
}

/** The ids in a data folder's store. */
export async function idsIn(dataDir: string): Promise<readonly unknown[]> {
  const store = await openTestStore(dataDir, source);
  const ids = (await readRows(store, source, 'ORDER BY id')).map(([id]) => id);
  await store.close();
  return ids;
}
