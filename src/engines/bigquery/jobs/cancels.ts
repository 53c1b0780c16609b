import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { ApiError } from '../api/api-error.ts';
import { isRetryable } from '../api/retryable.ts';
import type { JobReference } from './answers.ts';
import type { Jobs } from './jobs.ts';

/** Milliseconds before each retry: a job that is being created may not be found at first. */
const pauses = [250, 500, 1_000, 2_000, 4_000, 8_000, 14_000];

/** Milliseconds that closing waits for cancellations: longer than BigQuery takes to report the job of a query. */
const closingMs = 4_000;

/** Cancels jobs on the server in the background, so that nobody waits for it. */
export class Cancels {
  readonly #jobs: Pick<Jobs, 'cancel'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #end = new AbortController();

  constructor({ jobs, clock, log }: { jobs: Pick<Jobs, 'cancel'>; clock: Clock; log: Log }) {
    this.#jobs = jobs;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Cancels a job, which may not exist yet. A promised job is cancelled when it is known; undefined means that there is
   * none.
   */
  cancel(job: JobReference | Promise<JobReference | undefined>): void {
    const work = this.#cancel(job).finally(() => this.#inFlight.delete(work));
    this.#inFlight.add(work);
  }

  /** Waits for the running cancellations, up to a time limit. */
  async close(): Promise<void> {
    const timer = this.#clock.after(closingMs, () => this.#end.abort(new Error('closing')));
    await Promise.all(this.#inFlight);
    timer.cancel();
  }

  async #cancel(known: JobReference | Promise<JobReference | undefined>): Promise<void> {
    const job = await known;
    if (job === undefined) return;
    const { signal } = this.#end;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#jobs.cancel(job, { signal });
      } catch (error) {
        const pause = pauses[attempt];
        if (pause === undefined || signal.aborted || !canChange(error)) {
          const reason = error instanceof Error ? error.message : String(error);
          return this.#log.warn('A BigQuery job could not be cancelled', { job: job.jobId, reason });
        }
        await this.#clock.sleep(pause, signal).catch(() => {});
      }
    }
  }
}

/** Not found yet, no response, or BigQuery is down or over quota. */
function canChange(error: unknown): boolean {
  if (error instanceof GatewayError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status === undefined || error.status === 404 || isRetryable(error);
}
