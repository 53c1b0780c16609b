import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isCode } from '../../../../base/system/is-code.ts';
import { keepEnd } from '../../../../base/system/keep-copy.ts';
import { syncFile } from '../../../../base/system/replace-file.ts';
import { lockStore } from '../file/lock-store.ts';
import { unfinishedStoreFile } from '../file/make-store-file.ts';
import { StoreError } from '../file/store-error.ts';
import { describeFault, describeUnfinished } from './describe-log.ts';
import { examineLogs, type LogState, presentLogs, readOwner, type StoreLogs } from './examine-log.ts';
import type { LogOwner } from './log-header.ts';
import { planLogs } from './plan-log.ts';
import { writeLog } from './write-log.ts';

/** What was cut off a log, because it was never acknowledged. */
export interface CutLog {
  readonly bytes: number;
  /** For the operator. */
  readonly description: string;
}

/**
 * Makes a store's logs such that DuckDB recovers every acknowledged commit. DuckDB itself refuses zeros at the end, silently drops
 * all that follows an entry of a wrong length, and refuses commits beside a checkpoint if one before it was interrupted as well.
 * Called before it opens the store.
 *
 * @throws StoreError (`format`) if acknowledged commits may be in what can't be read, `files`; DuckDB's error if another process
 *   has the store
 */
export async function recoverLogs(file: string): Promise<readonly CutLog[]> {
  const owner = await readOwner(file);
  if (owner === undefined || !needsWork(await examineLogs(file, owner))) return [];
  // Another process that has the store may be writing just now.
  await using _ = await lockStore(file);
  const both = await examineLogs(file, owner);
  const logs = presentLogs(both);
  for (const log of logs) if (log.fault !== undefined) throw refusal(file, log, log.fault);
  const cuts: CutLog[] = [];
  for (const log of logs) {
    if (log.unfinished === undefined) continue;
    await cut(log);
    cuts.push({ bytes: log.unfinished.bytes, description: describeUnfinished(log, log.unfinished) });
  }
  if (tellsOfTooMany(both)) await forgetInterrupted(file, owner, both);
  return cuts;
}

function needsWork(logs: StoreLogs): boolean {
  if (tellsOfTooMany(logs)) return true;
  return presentLogs(logs).some(({ fault, unfinished }) => fault !== undefined || unfinished !== undefined);
}

function tellsOfTooMany({ usual, duringCheckpoint }: StoreLogs): boolean {
  return duringCheckpoint !== undefined && usual !== undefined && usual.begunCheckpoints > 1;
}

/** Replaces the usual log by one that tells of the last checkpoint only. */
async function forgetInterrupted(file: string, owner: LogOwner, logs: StoreLogs): Promise<void> {
  const { usual } = await planLogs(logs, owner, true);
  if (usual === undefined || logs.usual === undefined) return;
  const made = unfinishedStoreFile(file, 'log');
  try {
    await rm(made, { force: true });
    await writeLog(made, usual);
    await rename(made, logs.usual.file);
    await syncFile(dirname(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('files', `${logs.usual.file} can't be replaced: ${reason}`, error);
  }
}

function refusal(file: string, log: LogState, fault: NonNullable<LogState['fault']>): StoreError {
  const advice =
    'Acknowledged rows may be in it, so the store is not opened. `endpoint-gateway doctor` says what can be saved, `endpoint-gateway doctor --repair` saves it.';
  return new StoreError('format', `the store ${file} is damaged: ${describeFault(log, fault)} ${advice}`);
}

/**
 * Cuts off what was never acknowledged. Foreign bytes are kept in a file of their own, since their origin is unknown. On a full
 * disk they are not: the rows before them are worth more.
 */
async function cut(log: LogState): Promise<void> {
  try {
    if (log.unfinished?.content === 'foreign')
      await keepEnd(log.file, log.end).catch((error) => {
        if (!isCode(error, 'ENOSPC')) throw error;
      });
    const handle = await open(log.file, 'r+');
    try {
      await handle.truncate(log.end);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('files', `${log.file} can't be cut to its last commit: ${reason}`, error);
  }
}
