import { z } from 'zod';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { BigQueryApi } from '../../../engines/bigquery/api/big-query-api.ts';
import { probeBody } from '../../../engines/bigquery/api/probe.ts';

interface ReachOptions {
  readonly api: Pick<BigQueryApi, 'call'>;
  /** The project that jobs run in. */
  readonly project: string;
  readonly location?: string | undefined;
  readonly clock: Pick<Clock, 'sleep' | 'after'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Whether BigQuery has been reached since the start. */
interface Reach {
  readonly isReached: boolean;
  /** Resolves after the first attempt, successful or not, or after this time. */
  firstTry(milliseconds: number): Promise<void>;
  close(): void;
}

/** Delay between attempts in milliseconds: the first and the longest. */
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
const attemptTimeoutMs = 10_000;

/**
 * Tries until the first success whether this gateway can reach BigQuery and run jobs, by a dry run, which is free. Logs
 * the first failure with BigQuery's error, and the success. Nothing else depends on it.
 */
export function startReaching({ api, project, location, clock, log }: ReachOptions): Reach {
  const closing = new AbortController();
  const { signal } = closing;
  let isReached = false;
  const tried = Promise.withResolvers<void>();
  const probe = () =>
    api.call({
      method: 'POST',
      path: `/projects/${encodeURIComponent(project)}/jobs`,
      body: probeBody(project, location),
      answer: z.object({}),
      signal,
      attemptTimeoutMs,
      maxAttempts: 1,
    });
  const probeUntilReached = async () => {
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, maxPauseMs)) {
      try {
        await probe();
        isReached = true;
        tried.resolve();
        if (pause === firstPauseMs) log.info('BigQuery was reached', { project });
        else log.warn('BigQuery was reached', { project });
        return;
      } catch (error) {
        signal.throwIfAborted();
        tried.resolve();
        if (pause === firstPauseMs)
          log.warn('BigQuery has not been reached yet', { project, reason: reasonOf(error) });
      }
      await clock.sleep(pause, signal);
    }
  };
  probeUntilReached().catch((error: unknown) => {
    if (!signal.aborted) log.warn('unknown whether BigQuery is reachable', { reason: reasonOf(error) });
  });
  return {
    get isReached() {
      return isReached;
    },
    async firstTry(milliseconds) {
      const timer = clock.after(milliseconds, () => tried.resolve());
      await tried.promise;
      timer.cancel();
    },
    close: () => closing.abort(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
