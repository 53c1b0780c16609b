import { availableParallelism } from 'node:os';
import type { Config } from '../config.ts';
import { RunQueue } from '../executor/run-queue.ts';

/** Plans that the analyzer works on at the same time; more would only make each take longer. */
const maxPlanning = Math.max(2, availableParallelism());
const isUrgent = () => true;

/**
 * Lets callers' queries be planned in turn. The analyzer takes whatever it is given, and is ended when a call takes too long:
 * calls that wait in it would be taken for such.
 */
export function planningTurns({
  maxQueuedQueries,
  requestTimeoutMs,
}: Pick<Config, 'maxQueuedQueries' | 'requestTimeoutMs'>) {
  const queue = new RunQueue({
    maxRunning: maxPlanning,
    maxWaiting: maxQueuedQueries,
    maxWaitMs: requestTimeoutMs / 6,
  });
  // The same text of several callers is planned once: that one of them leaves ends nothing.
  const { signal } = new AbortController();
  return <T>(work: () => Promise<T>): Promise<T> => queue.run(isUrgent, signal, work);
}
