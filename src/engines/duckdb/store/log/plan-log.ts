import { FileBytes } from '../file/file-bytes.ts';
import type { LogState, StoreLogs } from './examine-log.ts';
import { logParts } from './log-commits.ts';
import { headerBytes, type LogOwner, maxHeaderBytes, readHeader } from './log-header.ts';

/** What a log will have: the header and commits of one or two logs. */
export interface LogContent {
  readonly header: Buffer;
  /** The places of the commits. Consecutive ones are one place. */
  readonly commits: readonly { readonly file: string; readonly from: number; readonly to: number }[];
}

/** How a store's logs can be used, with the commits that can be saved. */
export interface LogPlan {
  /** Undefined for no log. */
  readonly usual: LogContent | undefined;
  readonly duringCheckpoint: LogContent | undefined;
  /** The commits that are in neither. */
  readonly lostCommits: number;
  /** The commits after unreadable ones that are in them. */
  readonly laterCommits: number;
}

interface SavedLog {
  readonly content: LogContent | undefined;
  readonly lostCommits: number;
  readonly laterCommits: number;
  readonly hasCheckpoint: boolean;
}

const nothing: SavedLog = { content: undefined, lostCommits: 0, laterCommits: 0, hasCheckpoint: false };

/**
 * Saves every commit that can be applied: those before the first unreadable one, and those after it that only add rows, up to
 * the first one that does something else. A deletion names rows by their places, which were others.
 *
 * @param onlyBefore whether to save those before only
 */
export async function planLogs(
  { usual, duringCheckpoint }: StoreLogs,
  owner: LogOwner,
  onlyBefore: boolean,
): Promise<LogPlan> {
  const first = await save(usual, owner, { isAfterLoss: false, onlyBefore });
  const isOrphan = !first.hasCheckpoint && duringCheckpoint?.fault === 'no-checkpoint';
  const isAfterLoss = isOrphan || first.lostCommits > 0;
  const isMerged =
    duringCheckpoint !== undefined && duringCheckpoint.fault === undefined && !first.hasCheckpoint;
  const second = isMerged ? nothing : await save(duringCheckpoint, owner, { isAfterLoss, onlyBefore });
  const lostCommits = first.lostCommits + second.lostCommits;
  const laterCommits = first.laterCommits + second.laterCommits;
  if (first.hasCheckpoint)
    return { usual: first.content, duringCheckpoint: second.content, lostCommits, laterCommits };
  const commits = [...(first.content?.commits ?? []), ...(second.content?.commits ?? [])];
  const header = first.content?.header ?? headerBytes(owner);
  const content = commits.length === 0 ? undefined : { header, commits };
  return { usual: content, duringCheckpoint: undefined, lostCommits, laterCommits };
}

async function save(
  log: LogState | undefined,
  owner: LogOwner,
  { isAfterLoss, onlyBefore }: { readonly isAfterLoss: boolean; readonly onlyBefore: boolean },
): Promise<SavedLog> {
  const bytes = log === undefined ? undefined : await FileBytes.open(log.file);
  if (log === undefined || bytes === undefined) return nothing;
  await using _ = bytes;
  const own = await ownHeader(bytes, log, owner);
  const begin = own?.length ?? readHeader(await bytes.at(0, maxHeaderBytes))?.bytes ?? 0;
  let commits: Commit[] = [];
  let [lostCommits, laterCommits, hasCheckpoint] = [0, 0, false];
  let [isDamaged, isStopped] = [isAfterLoss, own === undefined];
  for await (const part of logParts(bytes, begin)) {
    if (part.kind === 'rest' && part.content !== 'damaged') continue;
    if (part.kind !== 'commit') isDamaged = true;
    else if (isDamaged && (onlyBefore || !part.onlyAdds)) isStopped = true;
    if (part.kind !== 'commit' || isStopped) lostCommits += 1;
    else {
      const { from, to, isCheckpoint } = part;
      // DuckDB refuses the log of a checkpoint if the one before it tells of others that were interrupted.
      if (isCheckpoint) commits = commits.filter((commit) => !commit.isCheckpoint);
      commits.push({ file: log.file, from, to, isCheckpoint });
      if (isDamaged) laterCommits += 1;
      hasCheckpoint ||= isCheckpoint;
    }
  }
  const content =
    own === undefined || commits.length === 0 ? undefined : { header: own, commits: joined(commits) };
  return { content, lostCommits, laterCommits, hasCheckpoint };
}

interface Commit {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly isCheckpoint: boolean;
}

/** Consecutive commits as one place. */
function joined(commits: readonly Commit[]): LogContent['commits'] {
  const places: { file: string; from: number; to: number }[] = [];
  for (const { file, from, to } of commits) {
    const last = places.at(-1);
    if (last?.to === from) last.to = to;
    else places.push({ file, from, to });
  }
  return places;
}

/** The right header of a log of this file. One byte of it may be damaged. Undefined for the log of another one. */
async function ownHeader(bytes: FileBytes, log: LogState, owner: LogOwner): Promise<Buffer | undefined> {
  if (log.fault === 'other-state') return undefined;
  const {
    identifier,
    checkpoints = owner.checkpoints,
    bytes: length = 0,
  } = readHeader(await bytes.at(0, maxHeaderBytes)) ?? {};
  const written = await bytes.at(0, length);
  if (
    log.fault !== 'version' &&
    (identifier === owner.identifier || (identifier === undefined && length > 0))
  )
    return Buffer.from(written);
  const right = headerBytes({ ...owner, checkpoints });
  const found = await bytes.at(0, right.length);
  const wrong = right.filter((byte, i) => byte !== found[i]).length;
  return wrong <= 1 ? right : undefined;
}
