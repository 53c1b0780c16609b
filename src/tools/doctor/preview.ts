import { link, rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { unfinishedStoreFile } from '../../engines/duckdb/store/file/make-store-file.ts';
import { checkpointLog, usualLog } from '../../engines/duckdb/store/log/examine-log.ts';
import type { LogPlan } from '../../engines/duckdb/store/log/plan-log.ts';
import { writeLog } from '../../engines/duckdb/store/log/write-log.ts';
import { withDatabase } from '../../rows/backup/backup-database.ts';

/** A second name of a store's file, with logs of its own, so that reading it changes nothing of the store. */
export interface Preview extends AsyncDisposable {
  readonly file: string;
  /** Runs a task on the rows that the store would have with these logs. */
  read<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
}

/**
 * Makes a preview of a store, beside it. The next owner of the store removes what a killed process leaves.
 *
 * @throws errors of the file system
 */
export async function previewOf(
  file: string,
  plan: LogPlan | undefined,
  memoryLimit: string,
): Promise<Preview> {
  const name = unfinishedStoreFile(file, 'preview');
  const remove = async () => {
    for (const path of [name, usualLog(name), checkpointLog(name)]) await rm(path, { force: true });
  };
  await remove();
  try {
    await link(file, name);
    if (plan?.usual !== undefined) await writeLog(usualLog(name), plan.usual);
    if (plan?.duringCheckpoint !== undefined) await writeLog(checkpointLog(name), plan.duringCheckpoint);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    file: name,
    read: (task) => withDatabase(name, { memoryLimit, isReadOnly: true }, task),
    [Symbol.asyncDispose]: remove,
  };
}
