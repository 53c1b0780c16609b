import type { DuckDBConnection } from '@duckdb/node-api';
import { megabytes } from '../../../../base/forms/bytes.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { StoreError } from '../file/store-error.ts';
import { tablesToMove } from './move-old-rows.ts';

/**
 * The part of the store's size that must be free on its disk before rows are moved. Each step reuses space: moving ten
 * million rows took a twentieth (measured).
 */
const share = 0.5;
/** Additional space for the log of a step's changes. */
const leastBytes = 64_000_000;

/** Throws `StoreError` (`files`) if there are rows to move and too little free space. */
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
    `The store in DATA_DIR must be upgraded to a new format. This needs ${megabytes(needed)} of free disk space, and ${megabytes(free)} are free. Nothing was changed.`,
  );
}
