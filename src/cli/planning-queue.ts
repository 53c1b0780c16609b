import { availableParallelism } from 'node:os';
import type { Config } from '../config.ts';
import { RunQueue } from '../executor/run-queue.ts';

/** Plans that the analyzer works on at the same time; more would only make each take longer. */
const maxPlanning = Math.max(2, availableParallelism());

/**
 * Lets callers' queries be planned in turn. The analyzer takes whatever it is given, and is ended when a call takes too long:
 * calls that wait in it would be taken for such.
 */
export function planningQueue({
  maxQueuedQueries,
  requestTimeoutMs,
}: Pick<Config, 'maxQueuedQueries' | 'requestTimeoutMs'>): RunQueue {
  return new RunQueue({
    maxRunning: maxPlanning,
    maxWaiting: maxQueuedQueries,
    maxWaitMs: requestTimeoutMs / 6,
  });
}
