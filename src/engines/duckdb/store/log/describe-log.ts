import { basename } from 'node:path';
import { counted } from '../../../../base/text/counted.ts';
import type { LogFault, LogState } from './examine-log.ts';

const contents = {
  zeros: 'zeros, as a loss of power leaves them',
  incomplete: 'a commit that was not completed',
  foreign: 'bytes that are not of the log, as a loss of power leaves them',
  damaged: 'bytes that are not of the log',
};

/** What follows a log's last commit, which was never acknowledged. A sentence. */
export function describeUnfinished(
  log: Pick<LogState, 'file' | 'commits'>,
  { bytes, content }: NonNullable<LogState['unfinished']>,
): string {
  return `${logName(log)} ends with ${counted(bytes, 'byte')} of ${contents[content]}, after ${counted(log.commits, 'commit')}. No acknowledged row is in them.`;
}

/** Why a log can't be used as it is. A sentence. */
export function describeFault(log: LogState, fault: LogFault): string {
  const name = logName(log);
  if (fault === 'no-header') return `${name} (${counted(log.bytes, 'byte')}) does not begin as a log does.`;
  if (fault === 'version')
    return `${name} has a version that this gateway does not know, or a damaged beginning.`;
  if (fault === 'other-file') return `${name} belongs to another database file.`;
  if (fault === 'other-state')
    return `${name} belongs to another state of the store, as after one of the two files was replaced.`;
  if (fault === 'no-checkpoint')
    return `${name} has ${counted(log.commits, 'commit')} from the time of a checkpoint, and the log before them is missing or cut off.`;
  const later = log.laterCommits === 0 ? '' : `, with ${counted(log.laterCommits, 'readable commit')} in it`;
  return `${name} can't be read beyond ${counted(log.commits, 'commit')}: ${counted(log.bytes - log.end, 'byte')} follow${later}.`;
}

function logName({ file }: Pick<LogState, 'file'>): string {
  return `the write-ahead log ${basename(file)}`;
}
