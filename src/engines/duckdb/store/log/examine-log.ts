import { FileBytes } from '../file/file-bytes.ts';
import { lastState, readFileHeaders } from '../file/file-headers.ts';
import { endOfContent, logParts, type RestContent } from './log-commits.ts';
import { type LogOwner, maxHeaderBytes, readHeader, readVersion } from './log-header.ts';

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
  /** How many checkpoints began while it was written. All but the last one were interrupted. */
  readonly begunCheckpoints: number;
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
  const usual = await examineLog(usualLog(file), owner, ({ begunCheckpoints }) =>
    // The last checkpoint that began may be complete.
    begunCheckpoints > 0 ? [owner.checkpoints, owner.checkpoints - 1] : [owner.checkpoints],
  );
  const other = await examineLog(checkpointLog(file), owner, () => [
    owner.checkpoints,
    owner.checkpoints + 1,
  ]);
  const isExpected = usual !== undefined && usual.begunCheckpoints > 0;
  if (other === undefined || other.fault !== undefined || other.commits === 0 || isExpected)
    return { usual, duringCheckpoint: other };
  const isMerged = usual !== undefined && (await isWithin(other.file, usual));
  return { usual, duringCheckpoint: isMerged ? other : { ...other, fault: 'no-checkpoint' } };
}

async function examineLog(
  file: string,
  owner: LogOwner,
  checkpointsOf: (log: Pick<LogState, 'begunCheckpoints'>) => readonly number[],
): Promise<LogState | undefined> {
  const bytes = await FileBytes.open(file);
  if (bytes === undefined) return undefined;
  await using _ = bytes;
  const none = { file, bytes: bytes.size, commits: 0, end: 0, laterCommits: 0, begunCheckpoints: 0 };
  const header = readHeader(await bytes.at(0, maxHeaderBytes));
  if (header === undefined) {
    const written = await endOfContent(bytes, 0);
    if (written >= maxHeaderBytes) return { ...none, unfinished: undefined, fault: 'no-header' };
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
  let [commits, end, laterCommits, begunCheckpoints, isDamaged] = [0, 0, 0, 0, false];
  let rest: RestContent = 'incomplete';
  for await (const part of logParts(bytes, from)) {
    if (part.kind === 'rest') rest = part.content;
    if (part.kind === 'damaged' || (part.kind === 'rest' && part.content === 'damaged')) isDamaged = true;
    if (part.kind !== 'commit') continue;
    if (isDamaged) laterCommits += 1;
    else {
      commits += 1;
      end = part.to;
      if (part.isCheckpoint) begunCheckpoints += 1;
    }
  }
  return { commits, end, laterCommits, begunCheckpoints, isDamaged, rest };
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
  const beginOf = async (log: FileBytes) => readHeader(await log.at(0, maxHeaderBytes))?.bytes ?? 0;
  for await (const first of logParts(added, await beginOf(added))) {
    for await (const part of logParts(all, await beginOf(all)))
      if (part.kind === 'commit' && (await haveSameBytes({ ...first, log: added }, { ...part, log: all })))
        return true;
    return false;
  }
  return false;
}

interface Place {
  readonly log: FileBytes;
  readonly from: number;
  readonly to: number;
}

async function haveSameBytes(a: Place, b: Place): Promise<boolean> {
  if (a.to - a.from !== b.to - b.from) return false;
  const others = b.log.pieces(b.from, b.to);
  for await (const piece of a.log.pieces(a.from, a.to)) {
    const { value: other } = await others.next();
    if (other === undefined || !piece.equals(other)) return false;
  }
  return true;
}
