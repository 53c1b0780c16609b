import { readdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../../base/errors/command-error.ts';
import { counted } from '../../base/text/counted.ts';
import { openingError, withHolder } from '../../engines/duckdb/store/database/open-database.ts';
import { FileBytes } from '../../engines/duckdb/store/file/file-bytes.ts';
import { lastState, readFileHeaders } from '../../engines/duckdb/store/file/file-headers.ts';
import { lockStore } from '../../engines/duckdb/store/file/lock-store.ts';
import { StoreError } from '../../engines/duckdb/store/file/store-error.ts';
import { storeFileIn, storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';
import { describeFault, describeUnfinished } from '../../engines/duckdb/store/log/describe-log.ts';
import {
  checkpointLog,
  examineLogs,
  type LogState,
  presentLogs,
  readOwner,
  usualLog,
} from '../../engines/duckdb/store/log/examine-log.ts';
import { type LogPlan, planLogs } from '../../engines/duckdb/store/log/plan-log.ts';
import { readFormat, refusedFormat } from '../../engines/duckdb/store/tables/metadata.ts';
import type { OnStep } from '../../rows/backup/steps.ts';
import { type DamagedFields, examineFields } from './examine-fields.ts';
import type { Finding } from './examine-tables.ts';
import { type ExaminedTable, examineTables, tableFindings } from './examine-tables.ts';
import { type Preview, previewOf } from './preview.ts';

/** How a store or a backup is examined. */
export interface ExamineOptions {
  /** DuckDB's `memory_limit`. */
  readonly memoryLimit: string;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
}

/** A store as it was found. */
export interface ExaminedStore {
  readonly file: string;
  readonly bytes: number;
  readonly findings: readonly Finding[];
  /** What is unusual and harmless. Sentences. */
  readonly notes: readonly string[];
  /** The tables, with the rows of the logs. Undefined if the store can't be opened. */
  readonly tables: readonly ExaminedTable[] | undefined;
  /** Which files a repair changes. */
  readonly needs: {
    readonly logs: boolean;
    readonly file: boolean;
    readonly fields: readonly DamagedFields[];
  };
  /** The store as it is after a repair of its logs. */
  readonly preview: Preview;
}

const noRepairs = { logs: false, file: false, fields: [] };

/**
 * Examines a store that no other process has open, without changing it.
 *
 * @param task gets what was found
 * @throws CommandError if there is no store; StoreError if it is in use; errors of the file system; the signal's reason
 */
export async function withExaminedStore<T>(
  dataDir: string,
  options: ExamineOptions,
  task: (examined: ExaminedStore) => Promise<T>,
): Promise<T> {
  const file = await storeFileIn(dataDir);
  const stats = await stat(file).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new CommandError(`There is no store in DATA_DIR (${dataDir}).`, error);
  });
  // DuckDB would wait for the writer of a pipe.
  if (!stats.isFile()) throw new CommandError(`${file} is not a file.`);
  const { size: bytes } = stats;
  await refuseInUse(file);
  const owner = await readOwner(file);
  const logs = owner === undefined ? undefined : await examineLogs(file, owner);
  const present = logs === undefined ? [] : presentLogs(logs);
  const needsLogs = present.some(({ fault }) => fault !== undefined);
  const notes = [...unfinishedNotes(present), ...(await leftoverNotes(dataDir))];
  for (const onlyBefore of [false, true]) {
    const plan = owner && logs && (await planLogs(logs, owner, onlyBefore));
    await using preview = await previewOf(file, plan, options.memoryLimit);
    let read: Awaited<ReturnType<typeof readPreview>>;
    try {
      read = await preview.read((connection) => readPreview(dataDir, connection, options));
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      if (!onlyBefore && (plan?.laterCommits ?? 0) > 0) continue;
      const opening = await openingFindings(file, bytes, error);
      const fields = await examineFields(dataDir, undefined);
      const findings = [...opening, ...fields];
      return await task({
        ...{ file, bytes, findings, notes, preview, tables: undefined },
        needs: noRepairs,
      });
    }
    const { tables, fields, refusal } = read;
    const rewritten = 'All readable rows are copied into a new file.';
    const findings = [
      ...(refusal === undefined
        ? []
        : [{ part: storeFileName, problem: `The store ${refusal}`, repair: undefined }]),
      ...logFindings(present, plan),
      ...tableFindings(tables, rewritten),
      ...fields,
    ];
    const needs = { logs: needsLogs, file: tables.some(({ isIntact }) => !isIntact), fields };
    return await task({
      ...{ file, bytes, findings, notes, tables, preview },
      needs: refusal === undefined ? needs : noRepairs,
    });
  }
  throw new Error('unreachable');
}

/** @throws StoreError if another process has the store open */
export async function refuseInUse(file: string): Promise<void> {
  try {
    await using _ = await lockStore(file);
  } catch (error) {
    const opening = await withHolder(file, openingError(file, error));
    if (opening.kind === 'locked' || error instanceof StoreError) throw opening;
  }
}

async function readPreview(
  dataDir: string,
  connection: Parameters<typeof examineTables>[0],
  options: ExamineOptions,
) {
  const tables = await examineTables(connection, options);
  // Without any, it is a store that was never opened.
  if (tables.length === 0) return { refusal: undefined, tables, fields: [] };
  const refusal = refusedFormat(await readFormat(connection));
  return { refusal, tables, fields: await examineFields(dataDir, connection) };
}

function unfinishedNotes(logs: readonly LogState[]): string[] {
  return logs.flatMap((log) =>
    log.unfinished === undefined
      ? []
      : [`${sentence(describeUnfinished(log, log.unfinished))} The next start cuts them off.`],
  );
}

function logFindings(logs: readonly LogState[], plan: LogPlan | undefined): Finding[] {
  const lost = plan?.lostCommits ?? 0;
  const later = plan?.laterCommits ?? 0;
  const outcome = [
    lost === 0
      ? 'No commit is lost.'
      : `${counted(lost, 'commit')} can't be applied: the rows in them are lost.`,
    ...(later === 0 ? [] : [`${counted(later, 'commit')} after what can't be read can be.`]),
  ].join(' ');
  return logs
    .filter(({ fault }) => fault !== undefined)
    .map((log) => ({
      part: basename(log.file),
      problem: `${sentence(log.fault === undefined ? '' : describeFault(log, log.fault))} ${outcome}`,
      repair: 'The log is written with the commits that can be applied.',
    }));
}

/** Why DuckDB can't open a file. */
async function openingFindings(file: string, bytes: number, error: Error): Promise<Finding[]> {
  const headers = await FileBytes.open(file);
  if (headers === undefined) throw error;
  await using _ = headers;
  const { isDatabase, identifier, states } = await readFileHeaders(headers);
  const state = lastState({ isDatabase, identifier, states });
  const reason = !isDatabase
    ? 'It does not begin as a database file does.'
    : identifier === undefined || state === undefined
      ? 'A header of it is damaged.'
      : state.bytes > bytes
        ? `It has ${counted(bytes, 'byte')}, and ${counted(state.bytes - bytes, 'byte')} of its end are missing.`
        : error.cause instanceof Error
          ? error.cause.message
          : error.message;
  const problem = `The store can't be opened. ${reason} Its rows can't be read: restore a backup into an empty folder.`;
  return [{ part: basename(file), problem, repair: undefined }];
}

/** Files that interrupted work or repairs have left. */
async function leftoverNotes(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).toSorted();
  const kept = names.filter((name) => /\.kept-\d+$/.test(name));
  const left = names.filter((name) => /\.\d+\.(new|part)(\.|$)|\.wal\.recovery$/.test(name));
  return [
    ...kept.map((name) => `${name} is a copy that a repair kept. Remove it when it is not needed.`),
    ...left.map((name) => `${name} is left over from interrupted work, and is not used.`),
  ];
}

function sentence(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}

/** The paths of a store's file and of its logs, which need not exist. */
export function storeFiles(file: string): readonly string[] {
  return [file, usualLog(file), checkpointLog(file)];
}
