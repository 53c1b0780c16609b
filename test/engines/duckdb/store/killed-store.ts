import { cp, mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { ingestBatch } from './ingest-batches.ts';
import { makeSource, openTestStore, readRows } from './support.ts';

export const source = makeSource('s', { name: 'text', type: 'STRING' });

/** A store's files as a kill leaves them, and what had been acknowledged. */
export interface KilledStore {
  /** The acknowledged ids, with the size of the write-ahead log then. */
  readonly acknowledged: readonly { readonly id: string; readonly logBytes: number }[];
  /** The size of the log at the end. */
  readonly logBytes: number;
  /** Copies the files into a new folder. Returns the folder. */
  copy(): Promise<string>;
}

/** A store that was killed after so many commits since its last checkpoint. All its files are in an empty folder. */
export async function killedStore(folder: string, commits: number): Promise<KilledStore> {
  const dataDir = join(folder, 'open');
  const options = { dataDir, sources: [source], memoryLimit: '500MB', threads: 1 };
  // The tables are in the file, as in most logs.
  await (await openStore(options)).close();
  const store = await openStore(options);
  const acknowledged: { id: string; logBytes: number }[] = [];
  for (let n = 0; n < commits; n++) {
    const id = `row ${n}`;
    const row = { id, timestamp: new Date().toISOString(), text: `text ${n}`.repeat(n % 40) };
    await store.ingest([ingestBatch(source, [row])]);
    acknowledged.push({ id, logBytes: (await stat(join(dataDir, 'store.duckdb.wal'))).size });
  }
  const killed = join(folder, 'killed');
  await cp(dataDir, killed, { recursive: true });
  await store.close();
  return {
    ...{ acknowledged, logBytes: acknowledged.at(-1)?.logBytes ?? 0 },
    async copy() {
      const to = await mkdtemp(join(folder, 'copy-'));
      await cp(killed, to, { recursive: true });
      return to;
    },
  };
}

/** The ids in a store, in their order of arrival. */
export async function storedIds(dataDir: string): Promise<readonly unknown[]> {
  const store = await openTestStore(dataDir, source);
  const ids = (await readRows(store, source)).map(([id]) => id);
  await store.close();
  return ids;
}
