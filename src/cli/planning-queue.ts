import { availableParallelism } from 'node:os';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { type NextQueue, RunQueue } from '../executor/run-queue.ts';

/** Plans that the analyzer works on at the same time; more would only make each take longer. */
const maxPlanning = Math.max(2, availableParallelism());

/** The part of a request's time that its query may wait to be planned: half of the wait for the engine, which comes after it. */
const waitingPart = 1 / 6;

/**
 * Lets callers' queries be planned in turn. The analyzer bears many more calls at the same time (`sql/analyzer/turns.ts`), and is
 * ended when one takes too long: those that share the cores with all of them would be taken for such. Nor does it refuse any, or
 * forget those whose callers have left.
 *
 * They wait as texts until their turn at the engine is near: a plan is a tree of thousands of objects, which the garbage
 * collector moves about as long as it waits. Who waits here has a place kept for him there (`sandbox/own-query.ts`).
 *
 * @param engine where plans wait to be run
 * @param clock the engine's, since runs are put in order by it
 */
export function planningQueue(
  { maxQueuedQueries, requestTimeoutMs }: Pick<Config, 'maxQueuedQueries' | 'requestTimeoutMs'>,
  engine: NextQueue,
  clock: Clock,
): RunQueue {
  const limits = {
    maxRunning: maxPlanning,
    maxWaiting: maxQueuedQueries,
    maxWaitMs: requestTimeoutMs * waitingPart,
    next: engine,
  };
  return new RunQueue(limits, clock);
}
