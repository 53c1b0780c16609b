import type { DuckDBConnection } from '@duckdb/node-api';
import { megabytes } from '../../../base/forms/bytes.ts';
import { freeBytesAt } from '../../../base/system/disk-space.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { dropConverted } from './convert-beside.ts';
import { openDatabase, openingError } from './database/open-database.ts';
import { StoreError } from './file/store-error.ts';
import { FileStore } from './file-store.ts';
import { type PreparedTables, prepareTables } from './prepare-tables.ts';
import type { Store } from './store.ts';
import type { StoreOptions } from './store-options.ts';
import { ListTables } from './tables/list-tables.ts';
import { readOrigin } from './tables/metadata.ts';
import { moveLog, moveOldRows, tablesToMove } from './upkeep/move-old-rows.ts';
import { normaliseJson } from './upkeep/normalise-json.ts';

/**
 * The part of the store's size that must be free on its disk before rows are moved. Each step reuses space: moving ten
 * million rows took a twentieth (measured).
 */
const share = 0.5;
/** Additional space for the log of a step's changes. */
const leastBytes = 64_000_000;

/** Throws `StoreError` (`files`) if there are rows to move and too little free space. */
async function refuseWithoutRoom(
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

/**
 * Opens the store of a data folder, created if missing, and brings its tables into the form of the sources' schemas. A
 * store of an older format is upgraded first, which takes some ten seconds for a million rows. Sources whose rows don't fit
 * their files are unavailable. Throws `StoreError` with words for the operator: the store is in use, or the file is not a
 * store.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase(options);
  try {
    const connection = await database.instance.connect();
    try {
      const prepared = await prepareStore(connection, options);
      const listTables = await ListTables.find(connection, prepared.available);
      return new FileStore(database, options, prepared, listTables, await readOrigin(connection));
    } finally {
      connection.closeSync();
    }
  } catch (error) {
    database.close();
    throw openingError(database.file, error);
  }
}

async function prepareStore(
  connection: DuckDBConnection,
  { sources, dataDir, log, drop, freeBytes = () => freeBytesAt(dataDir) }: StoreOptions,
): Promise<PreparedTables> {
  await dropConverted(connection);
  const prepared = await prepareTables(connection, sources, {
    beforeCommit: ({ physical }) => refuseWithoutRoom(connection, physical, freeBytes),
    drop,
  });
  for (const { source, details } of prepared.refused)
    log?.error('a source is unavailable: its stored rows do not fit its file', { source, reason: details });
  await moveOldRows(connection, prepared.physical, { onProgress: moveLog(log) });
  await normaliseJson(connection, prepared.physical, {
    onSource: (source) => log?.info('JSON values are being brought into one form', { source }),
  });
  return prepared;
}
