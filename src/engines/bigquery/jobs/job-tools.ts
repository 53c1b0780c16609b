import type { Clock } from '../../../base/system/clock.ts';
import type { BigQueryApi } from '../api/big-query-api.ts';
import type { JobReference } from './answers.ts';
import type { Cancels } from './cancels.ts';
import type { Jobs } from './jobs.ts';
import type { JobQuery } from './requests.ts';
import type { EffectiveSettings } from './settings.ts';

/** What creating, awaiting and reading jobs requires. */
export interface JobTools {
  readonly jobs: Jobs;
  readonly cancels: Cancels;
  readonly api: Pick<BigQueryApi, 'pauseBeforeRetry'>;
  readonly clock: Clock;
  /** Returns a new UUID. */
  readonly newId: () => string;
  /** The project of the jobs. */
  readonly project: string;
}

/** The reference of a new job, in the configured location. */
export function newJob({ project, newId }: JobTools, { location }: EffectiveSettings): JobReference {
  return {
    projectId: project,
    jobId: `endpoint-gateway-${newId()}`,
    ...(location !== undefined && { location }),
  };
}

/** A query and the limits of its run. */
export interface QueryToRun {
  readonly query: JobQuery;
  readonly maxRows: number;
  readonly limits: {
    readonly signal: AbortSignal;
    /** The latest time at which the signal is aborted, by the clock's `elapsed()`. */
    readonly deadline: number;
  };
  /** The timeout for a job of BigQuery that starts now, in milliseconds. */
  readonly jobTimeoutMs: () => number;
}
