import { readFileSync } from 'node:fs';
import type { Clock } from '../system/clock.ts';
import { outputOf } from './start-process.ts';
import type { Supervised } from './supervised.ts';

/** What to check at each heartbeat: the memory of a process, and whether it answered the last ping. */
export interface Watch<Session> {
  readonly heartbeatMs: number;
  readonly memoryLimit?: number;
  /** Pings the process, and resolves when it answers. The next ping is sent only then. */
  readonly sendPing?: (session: Session) => Promise<unknown>;
  /**
   * Heartbeats in a row without an answer after which the process counts as hanging. They are heartbeats, not a time:
   * while this process is busy or stopped, it can't read answers and has no heartbeats.
   */
  readonly maxMissed?: number;
  /** Reads the memory of a process in bytes, for tests. */
  readonly readMemory?: typeof residentBytes;
}

/**
 * Watches a process until it ends. Ends it when it takes too much memory or doesn't answer.
 *
 * @param onMemory called at each heartbeat with the memory of the process in bytes
 */
export async function watch<Session extends Supervised>(
  session: Session,
  { heartbeatMs, memoryLimit, sendPing, maxMissed = 1, readMemory = residentBytes }: Watch<Session>,
  clock: Clock,
  onMemory: (bytes: number) => void,
): Promise<void> {
  const ended = new AbortController();
  void session.exited.then(() => ended.abort());
  let missed = 0;
  let isPinged = false;
  const ping = async () => {
    isPinged = true;
    await sendPing?.(session);
    isPinged = false;
    missed = 0;
  };
  while (!ended.signal.aborted) {
    const bytes = await readMemory(session.pid);
    if (bytes !== undefined) onMemory(bytes);
    if (bytes !== undefined && memoryLimit !== undefined && bytes > memoryLimit)
      return session.end(`it took ${inMb(bytes)} of memory; at most ${inMb(memoryLimit)} are allowed`);
    if (isPinged) missed++;
    // A failed ping is one without an answer.
    else if (sendPing !== undefined) ping().catch(() => {});
    if (missed >= maxMissed) return session.end(`no answer within ${missed * heartbeatMs} ms`);
    await clock.sleep(heartbeatMs, ended.signal).catch(() => {});
  }
}

function inMb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/**
 * Returns the resident memory of a process, or `undefined` if it has ended. On Linux, the read is synchronous and needs
 * no thread, so that it also works while this process is busy. `/proc/<pid>/statm` counts in pages, whose size Node
 * doesn't report.
 */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const kib =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
        : (await outputOf('ps', ['-o', 'rss=', '-p', String(pid)])).trim();
    return kib ? Number(kib) * 1024 : undefined;
  } catch {
    return undefined;
  }
}
