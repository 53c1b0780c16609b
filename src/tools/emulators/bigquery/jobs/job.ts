import type { Clock } from '../../../../base/system/clock.ts';
import type { Column } from '../../../../sql/values/type.ts';
import type { Row } from '../../../../sql/values/value.ts';
import type { ErrorProto } from '../wire/google-error.ts';
import type { PlannedJob } from './plan-job.ts';
import type { QuerySpec } from './query-spec.ts';

export interface JobReference {
  readonly projectId: string;
  readonly jobId: string;
  readonly location: string;
}

export interface JobResult {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly cacheHit: boolean;
}

/** The error of a cancelled job, in BigQuery's words. */
const stopped = (reason: string): ErrorProto => ({
  reason: 'stopped',
  message: `Job execution was cancelled: ${reason}`,
});

/** A query job. It runs from its creation until it has its rows, fails or is cancelled. */
export class Job {
  readonly reference: JobReference;
  readonly spec: QuerySpec;
  /** Undefined if the query couldn't be planned. */
  readonly planned: PlannedJob | undefined;
  readonly creationTime: number;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  #endTime: number | undefined;
  #result: JobResult | undefined;
  #error: ErrorProto | undefined;

  constructor(reference: JobReference, spec: QuerySpec, planned: PlannedJob | undefined, clock: Clock) {
    this.reference = reference;
    this.spec = spec;
    this.planned = planned;
    this.creationTime = clock.now();
    this.#clock = clock;
  }

  /** Milliseconds since the epoch. Undefined while it runs. */
  get endTime(): number | undefined {
    return this.#endTime;
  }

  get isDone(): boolean {
    return this.#endTime !== undefined;
  }

  /** The rows. Undefined while it runs, and if it failed. */
  get result(): JobResult | undefined {
    return this.#result;
  }

  get error(): ErrorProto | undefined {
    return this.#error;
  }

  /** Runs the job. Cancelling it aborts the signal that `run` gets. */
  start(run: (signal: AbortSignal) => Promise<JobResult | ErrorProto>): void {
    const { jobTimeoutMs } = this.spec;
    const timer =
      jobTimeoutMs === undefined
        ? undefined
        : this.#clock.after(jobTimeoutMs, () =>
            this.#end(stopped(`Job timed out after ${jobTimeoutMs / 1000}s`)),
          );
    void run(this.#stop.signal)
      .catch(() => ({
        reason: 'internalError',
        message:
          'An internal error occurred and the request could not be completed. This is usually caused by a transient issue.',
      }))
      .then((outcome) => this.#end(outcome))
      .finally(() => timer?.cancel());
  }

  /** Cancels the job if it is still running. */
  cancel(): void {
    this.#end(stopped('User requested cancellation'));
  }

  /** Fails the job before it has started. */
  fail(error: ErrorProto): void {
    this.#end(error);
  }

  /** Waits for the end of the job, up to a time limit. */
  async wait(milliseconds: number): Promise<void> {
    if (this.isDone || milliseconds <= 0) return;
    const late = Promise.withResolvers<void>();
    const timer = this.#clock.after(milliseconds, late.resolve);
    await Promise.race([this.#done.promise, late.promise]);
    timer.cancel();
  }

  #end(outcome: JobResult | ErrorProto): void {
    if (this.isDone) return;
    if ('reason' in outcome) this.#error = outcome;
    else this.#result = outcome;
    this.#endTime = this.#clock.now();
    this.#stop.abort();
    this.#done.resolve();
  }
}
