import { type QueryClass, queryClasses } from '../../definitions/classes/query-class.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Engine } from '../../engines/engine/engine.ts';
import type { ClassLimits } from './flights/class-queue.ts';
import type { ClassJob } from './job-of.ts';

type Settings = Pick<
  Config,
  'queryClasses' | 'maxConcurrentQueries' | 'maxQueuedQueries' | 'requestTimeoutMs'
>;

/**
 * The part of a query's time limit that it may be expected to wait for a permit. A query that starts later would rarely finish
 * in time.
 */
const waitingPart = 1 / 3;

/** The part of it after which a query that still waits is refused, unlike one that takes too long: its caller knows when to ask again. */
const refusedPart = 0.9;

/** The time limits of the queries of each class, in milliseconds. */
export function classTimeouts({ queryClasses: classes, requestTimeoutMs }: Settings) {
  return byClass((name) => {
    const { timeoutSeconds = Number.POSITIVE_INFINITY } = classes[name];
    return Math.min(requestTimeoutMs, timeoutSeconds * 1000);
  });
}

/**
 * The limits of each class for the permits of queries. Where one query can use all processors, only one runs in the background: a
 * query beside it takes about twice its time alone, beside two of them three times, and beside four more than five times (measured).
 */
export function queryLimits(
  settings: Settings,
  { usesAllProcessors = false }: Pick<Engine, 'usesAllProcessors'>,
): Readonly<Record<QueryClass, ClassLimits>> {
  const { queryClasses: classes, maxConcurrentQueries, maxQueuedQueries } = settings;
  const timeouts = classTimeouts(settings);
  return byClass((name) => {
    const {
      weight,
      permits = usualPermits(name, usesAllProcessors ? 1 : maxConcurrentQueries),
      waiting = maxQueuedQueries,
    } = classes[name];
    return {
      ...{ weight, permits, maxWaiting: waiting },
      maxWaitMs: timeouts[name] * waitingPart,
      refusedAfterMs: timeouts[name] * refusedPart,
    };
  });
}

/** The limits of each class for the permits of planning. */
export function planningLimits(
  settings: Settings,
  permits: number,
): Readonly<Record<QueryClass, ClassLimits>> {
  const limits = queryLimits(settings, {});
  return byClass((name) => ({ ...limits[name], permits: usualPermits(name, permits) }));
}

/** The settings of the jobs of each class. */
export function classJobs({ queryClasses: classes }: Settings): Readonly<Record<QueryClass, ClassJob>> {
  return byClass((name) => {
    const { priority, reservation } = classes[name];
    return { ...(priority && { priority }), ...(reservation !== undefined && { reservation }) };
  });
}

/** The most permits that a class holds unless the settings say otherwise: work in the background leaves half of them to others. */
function usualPermits(name: QueryClass, permits: number): number {
  return name === 'background' ? Math.max(1, Math.floor(permits / 2)) : Number.POSITIVE_INFINITY;
}

function byClass<T>(make: (name: QueryClass) => T): Readonly<Record<QueryClass, T>> {
  const [interactive, normal, background] = queryClasses;
  return {
    [interactive]: make(interactive),
    [normal]: make(normal),
    [background]: make(background),
  };
}
