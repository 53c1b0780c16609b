import type { Clock } from '../clock.ts';
import { residentBytes } from './resident-bytes.ts';
import type { Supervised } from './supervised.ts';

/** What is looked after from outside, in beats: at each one memory is read, and whether the last question was answered. */
export interface Watch<Session> {
  readonly beatMs: number;
  readonly memoryLimit?: number;
  /** Asks it for a sign of life, and resolves when that came. It is asked again only then. */
  readonly ask?: (session: Session) => Promise<unknown>;
  /**
   * Beats in a row without an answer after which it counts as hanging. Beats and no time: while this process is busy or stopped
   * itself, it can't read answers, and has no beats.
   */
  readonly patience?: number;
  /** Memory of a process in bytes, for tests. */
  readonly readMemory?: typeof residentBytes;
}

/**
 * Watches a process until it has ended, and ends it when it takes too much memory or doesn't answer.
 *
 * @param tellMemory is told at each beat how many bytes it has
 */
export async function watch<Session extends Supervised>(
  session: Session,
  { beatMs, memoryLimit, ask, patience = 1, readMemory = residentBytes }: Watch<Session>,
  clock: Clock,
  tellMemory: (bytes: number) => void,
): Promise<void> {
  const ended = new AbortController();
  void session.exited.then(() => ended.abort());
  let missed = 0;
  let isAsked = false;
  const question = async () => {
    isAsked = true;
    await ask?.(session);
    isAsked = false;
    missed = 0;
  };
  while (!ended.signal.aborted) {
    const bytes = await readMemory(session.pid);
    if (bytes !== undefined) tellMemory(bytes);
    if (bytes !== undefined && memoryLimit !== undefined && bytes > memoryLimit)
      return session.end(`it took ${inMb(bytes)} of memory, ${inMb(memoryLimit)} are allowed`);
    if (isAsked) missed++;
    // A question that fails is one without an answer.
    else if (ask !== undefined) question().catch(() => {});
    if (missed >= patience) return session.end(`no answer within ${missed * beatMs} ms`);
    await clock.sleep(beatMs, ended.signal).catch(() => {});
  }
}

function inMb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
