import type { DuckDBConnection } from '@duckdb/node-api';
import { freeBytesAt } from '../../../system/disk-space.ts';
import { FileStore } from './file-store.ts';
import { ListTables } from './list-tables.ts';
import { readOrigin } from './metadata.ts';
import { moveLog } from './move-log.ts';
import { moveOldRows } from './move-old-rows.ts';
import { normaliseJson } from './normalise-json.ts';
import { openDatabase, openingError } from './open-database.ts';
import { prepareTables } from './prepare-tables.ts';
import { refuseWithoutRoom } from './room-to-move.ts';
import type { Store } from './store.ts';
import type { StoreOptions } from './store-options.ts';

/**
 * Opens the store of a data folder, created if missing, and brings its tables into the form of the sources' schemas. A
 * store of an older format is upgraded first, which takes some ten seconds for a million rows. Throws `StoreError` with
 * words for the operator: the store is in use, the file is not a store, or its rows don't fit a changed schema.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase(options);
  try {
    const connection = await database.instance.connect();
    try {
      await prepareStore(connection, options);
      const listTables = await ListTables.find(connection, options.sources);
      return new FileStore(database, options, listTables, await readOrigin(connection));
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
  { sources, dataDir, log, onMove, freeBytes = () => freeBytesAt(dataDir) }: StoreOptions,
): Promise<void> {
  await prepareTables(connection, sources, {
    beforeCommit: () => refuseWithoutRoom(connection, sources, freeBytes),
  });
  const logged = moveLog(log);
  await moveOldRows(connection, sources, {
    onProgress(progress) {
      logged(progress);
      onMove?.(progress);
    },
  });
  await normaliseJson(connection, sources, {
    onSource: (source) => log?.info('JSON values are being brought into one form', { source }),
  });
}
