import { statfs } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { tablesToMove } from './move-old-rows.ts';
import { StoreError } from './store-error.ts';

/**
 * The part of the store's size that has to be free on its disk before rows are moved. Space is used again step by step: moving ten
 * million rows took a twentieth (measured).
 */
const share = 0.5;
/** What the log of a step's changes may take besides. */
const leastBytes = 64_000_000;

/** How many bytes are free for this user on the disk that a folder is on. */
export async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Throws `StoreError` (`files`) when rows are to be moved and there is too little free space to do so. */
export async function refuseWithoutRoom(
  connection: DuckDBConnection,
  sources: readonly Source[],
  freeBytes: () => Promise<number>,
): Promise<void> {
  if ((await tablesToMove(connection, sources)).length === 0) return;
  const size = await connection.runAndReadAll('SELECT block_size * used_blocks FROM pragma_database_size()');
  const needed = Math.ceil(Number(size.value(0, 0)) * share) + leastBytes;
  const free = await freeBytes();
  if (free >= needed) return;
  throw new StoreError(
    'files',
    `The store in DATA_DIR has to be upgraded to its new format. That needs ${megabytes(needed)} of free disk space, and ${megabytes(free)} are free. Nothing was changed.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
