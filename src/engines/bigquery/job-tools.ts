import type { Clock } from '../../clock.ts';
import type { JobReference } from './answers.ts';
import type { BigQueryApi } from './api/big-query-api.ts';
import type { Cancels } from './cancels.ts';
import type { Jobs } from './jobs.ts';
import type { JobQuery } from './requests.ts';
import type { EffectiveSettings } from './settings.ts';

/** What is at hand wherever a job is made, waited for and read. */
export interface JobTools {
  readonly jobs: Jobs;
  readonly cancels: Cancels;
  readonly api: Pick<BigQueryApi, 'pauseBeforeRetry'>;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  /** The project that jobs are made in. */
  readonly project: string;
}

/** A job of ours that isn't there yet, in the location that is set for it. */
export function newJob({ project, newId }: JobTools, { location }: EffectiveSettings): JobReference {
  return {
    projectId: project,
    jobId: `endpoint-gateway-${newId()}`,
    ...(location !== undefined && { location }),
  };
}

/** A query, and how far its run may go. */
export interface QueryToRun {
  readonly query: JobQuery;
  readonly maxRows: number;
  readonly limits: {
    readonly signal: AbortSignal;
    /** When the signal is aborted at the latest, by the clock's `elapsed()`. */
    readonly deadline: number;
  };
  /** Milliseconds, from now on, after which BigQuery is to end a job. */
  readonly jobTimeoutMs: () => number;
}
