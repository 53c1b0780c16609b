import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { BigQueryApi } from '../../engines/bigquery/api/big-query-api.ts';
import { probeBody } from '../../engines/bigquery/api/probe.ts';
import type { Log } from '../../log.ts';

interface ReachOptions {
  readonly api: Pick<BigQueryApi, 'call'>;
  /** The project that jobs run in. */
  readonly project: string;
  readonly location?: string | undefined;
  readonly clock: Pick<Clock, 'sleep' | 'after'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Whether BigQuery has answered as it should since the start. */
interface Reach {
  readonly isReached: boolean;
  /** Settles when the first try is over, well or not, at the latest after so many milliseconds. */
  firstTry(milliseconds: number): Promise<void>;
  close(): void;
}

/** Milliseconds from one try to the next: the first, and the longest. */
const firstPause = 1_000;
const longestPause = 60_000;
const attemptTimeoutMs = 10_000;

/**
 * Tries, until it works once, whether BigQuery can be reached and lets this gateway run jobs: by a dry run, which costs
 * nothing. The first failure goes to the log, with what BigQuery said, and that it worked then; nothing else depends on it.
 */
export function startReaching({ api, project, location, clock, log }: ReachOptions): Reach {
  const closing = new AbortController();
  const { signal } = closing;
  let isReached = false;
  const tried = Promise.withResolvers<void>();
  const ask = () =>
    api.call({
      method: 'POST',
      path: `/projects/${encodeURIComponent(project)}/jobs`,
      body: probeBody(project, location),
      answer: z.object({}),
      signal,
      attemptTimeoutMs,
      maxAttempts: 1,
    });
  const askUntilReached = async () => {
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        await ask();
        isReached = true;
        tried.resolve();
        if (pause === firstPause) log.info('BigQuery was reached', { project });
        else log.warn('BigQuery is reachable', { project });
        return;
      } catch (error) {
        signal.throwIfAborted();
        tried.resolve();
        if (pause === firstPause)
          log.warn('BigQuery has not been reached yet', { project, reason: reasonOf(error) });
      }
      await clock.sleep(pause, signal);
    }
  };
  askUntilReached().catch((error: unknown) => {
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
