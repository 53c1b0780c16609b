import { FileBytes } from '../file/file-bytes.ts';
import { lastState, readFileHeaders } from '../file/file-headers.ts';
import { endOfContent, logParts, type RestContent } from './log-commits.ts';
import { type LogOwner, mostHeaderBytes, readHeader, readVersion } from './log-header.ts';

/** Why a log can't be used as it is. Acknowledged commits may be in it. */
export type LogFault =
  /** There is no header of a log at its beginning. */
  | 'no-header'
  /** A version of DuckDB's logs that stores don't have. */
  | 'version'
  /** It belongs to another database file. */
  | 'other-file'
  /** It belongs to an older or newer state of the file. */
  | 'other-state'
  /** Commits in it can't be read. */
  | 'damaged'
  /** It is of a running checkpoint, and the log that says so is missing. */
  | 'no-checkpoint';

/** A write-ahead log. All sizes are in bytes. */
export interface LogState {
  readonly file: string;
  readonly bytes: number;
  /** The commits before anything that can't be read. */
  readonly commits: number;
  /** Where the last of them ends; 0 without one. */
  readonly end: number;
  /** Whether it says that a checkpoint began. */
  readonly hasCheckpoint: boolean;
  /** Whether another one began before, which was interrupted. */
  readonly hasEarlierCheckpoint: boolean;
  /** What follows the last commit and was never acknowledged. */
  readonly unfinished: { readonly bytes: number; readonly content: RestContent } | undefined;
  readonly fault: LogFault | undefined;
  /** The commits after what can't be read. */
  readonly laterCommits: number;
}

/** The logs of a store: the usual one, and that of commits during a checkpoint. Undefined if there is no such file. */
export interface StoreLogs {
  readonly usual: LogState | undefined;
  readonly duringCheckpoint: LogState | undefined;
}

/** The logs that there are. */
export function presentLogs({ usual, duringCheckpoint }: StoreLogs): readonly LogState[] {
  return [usual, duringCheckpoint].filter((log) => log !== undefined);
}

/** The path of a store's write-ahead log. */
export function usualLog(file: string): string {
  return `${file}.wal`;
}

/** The path of the log of commits during a checkpoint. */
export function checkpointLog(file: string): string {
  return `${file}.wal.checkpoint`;
}

/**
 * What a store's logs must match. Undefined if the file is missing, or its headers are damaged: then DuckDB can't open it either.
 * Rejects as `fs` does.
 */
export async function readOwner(file: string): Promise<LogOwner | undefined> {
  const bytes = await FileBytes.open(file);
  if (bytes === undefined) return undefined;
  await using _ = bytes;
  const headers = await readFileHeaders(bytes);
  const state = lastState(headers);
  const { identifier } = headers;
  return identifier === undefined || state === undefined
    ? undefined
    : { identifier, checkpoints: state.checkpoints };
}

/** Reads a store's logs without changing them. Rejects as `fs` does. */
export async function examineLogs(file: string, owner: LogOwner): Promise<StoreLogs> {
  const usual = await examineLog(usualLog(file), owner, ({ hasCheckpoint }) =>
    // The checkpoint that it tells of may be complete.
    hasCheckpoint ? [owner.checkpoints, owner.checkpoints - 1] : [owner.checkpoints],
  );
  const other = await examineLog(checkpointLog(file), owner, () => [
    owner.checkpoints,
    owner.checkpoints + 1,
  ]);
  if (
    other === undefined ||
    other.fault !== undefined ||
    other.commits === 0 ||
    usual?.hasCheckpoint === true
  )
    return { usual, duringCheckpoint: other };
  const isMerged = usual !== undefined && (await isWithin(other.file, usual));
  return { usual, duringCheckpoint: isMerged ? other : { ...other, fault: 'no-checkpoint' } };
}

async function examineLog(
  file: string,
  owner: LogOwner,
  checkpointsOf: (log: { readonly hasCheckpoint: boolean }) => readonly number[],
): Promise<LogState | undefined> {
  const bytes = await FileBytes.open(file);
  if (bytes === undefined) return undefined;
  await using _ = bytes;
  const none = {
    ...{ file, bytes: bytes.size, commits: 0, end: 0, laterCommits: 0 },
    ...{ hasCheckpoint: false, hasEarlierCheckpoint: false },
  };
  const header = readHeader(await bytes.at(0, mostHeaderBytes));
  if (header === undefined) {
    const written = await endOfContent(bytes, 0);
    if (written >= mostHeaderBytes) return { ...none, unfinished: undefined, fault: 'no-header' };
    const content = written < bytes.size ? 'zeros' : 'incomplete';
    const unfinished = bytes.size === 0 ? undefined : ({ bytes: bytes.size, content } as const);
    return { ...none, unfinished, fault: undefined };
  }
  if (header.version !== readVersion) return { ...none, unfinished: undefined, fault: 'version' };
  const found = await readCommits(bytes, header.bytes);
  const { checkpoints, identifier } = header;
  let fault: LogFault | undefined = found.isDamaged ? 'damaged' : undefined;
  if (checkpoints !== undefined && !checkpointsOf(found).includes(checkpoints)) fault = 'other-state';
  if (identifier !== undefined && identifier !== owner.identifier) fault = 'other-file';
  const { isDamaged: _isDamaged, rest, ...log } = found;
  const isUnfinished = fault === undefined && log.end < bytes.size;
  const unfinished = isUnfinished ? { bytes: bytes.size - log.end, content: rest } : undefined;
  return { file, bytes: bytes.size, ...log, unfinished, fault };
}

async function readCommits(bytes: FileBytes, from: number) {
  let [commits, end, laterCommits, checkpoints, isDamaged] = [0, 0, 0, 0, false];
  let rest: RestContent = 'incomplete';
  for await (const part of logParts(bytes, from)) {
    if (part.kind === 'rest') rest = part.content;
    if (part.kind === 'damaged' || (part.kind === 'rest' && part.content === 'damaged')) isDamaged = true;
    if (part.kind !== 'commit') continue;
    if (isDamaged) laterCommits += 1;
    else {
      commits += 1;
      end = part.to;
      if (part.isCheckpoint) checkpoints += 1;
    }
  }
  const [hasCheckpoint, hasEarlierCheckpoint] = [checkpoints > 0, checkpoints > 1];
  return { commits, end, laterCommits, hasCheckpoint, hasEarlierCheckpoint, isDamaged, rest };
}

/**
 * Whether the commits of a checkpoint's log, of which it has some, are in the usual one already: DuckDB and repairs add them after
 * an interrupted checkpoint, then remove the file. The first one tells.
 */
async function isWithin(file: string, usual: LogState): Promise<boolean> {
  const added = await FileBytes.open(file);
  const all = await FileBytes.open(usual.file);
  if (added === undefined || all === undefined) return false;
  await using _ = added;
  await using __ = all;
  const header = readHeader(await added.at(0, mostHeaderBytes))?.bytes ?? 0;
  for await (const { from, to } of logParts(added, header))
    return (await all.at(0, all.size)).includes(await added.at(from, to - from));
  return false;
}
