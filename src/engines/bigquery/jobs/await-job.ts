import { ApiError } from '../api/api-error.ts';
import { isJobReason, isRetryable, isRetryableReason } from '../api/retryable.ts';
import { AnswerError } from '../values/answer-error.ts';
import type { JobReference, ResultsAnswer } from './answers.ts';
import { JobError } from './job-error.ts';
import type { JobTools, QueryToRun } from './job-tools.ts';
import { Tries } from './tries.ts';

/** Milliseconds for which BigQuery may delay its response while a job isn't complete. */
const longestWaitMs = 5_000;
/** The minimum, unless less time is left. */
const shortestWaitMs = 250;

/** The first and the longest pause between two polls, in milliseconds, if BigQuery doesn't delay its response. */
const shortestPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Waits until a job is complete, and returns its first page. A job that is abandoned before that is cancelled.
 *
 * @throws JobError when the job has failed; ApiError, which can report the job's failure as well; GatewayError; the
 *   signal's reason
 */
export async function awaitJob(tools: JobTools, todo: QueryToRun, job: JobReference): Promise<ResultsAnswer> {
  try {
    return await firstPage(tools, todo, job);
  } catch (error) {
    if (!hasEnded(error)) tools.cancels.cancel(job);
    throw error;
  }
}

async function firstPage(tools: JobTools, todo: QueryToRun, job: JobReference): Promise<ResultsAnswer> {
  const { jobs, clock } = tools;
  const { maxRows, limits } = todo;
  const { signal, deadline } = limits;
  let tries = new Tries(tools, limits);
  let pauseMs = shortestPauseMs;
  for (;;) {
    const asked = clock.elapsed();
    const wait = waitFor(deadline - asked);
    let page: ResultsAnswer;
    try {
      page = await jobs.results(job, { maxRows, waitMs: wait }, { ...limits, attempt: tries.attempt });
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || !isRetryable(error)) throw error;
      if (isJobReason(error.proto.reason)) throw new JobError(error.proto);
      // A failed job makes this call fail with the job's reason, which a retry would repeat.
      if (isRetryableReason(error.proto.reason)) await throwIfFailed(tools, todo, job);
      if (!(await tries.another(error))) throw error;
      continue;
    }
    if (page.jobComplete) {
      if (page.schema !== undefined) return page;
      await throwIfFailed(tools, todo, job);
      throw new AnswerError('a complete job has no schema');
    }
    tries = new Tries(tools, limits);
    if (clock.elapsed() - asked < wait / 2) {
      await clock.sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }
}

/** Half of the remaining time, which leaves time for a retry if the server hangs. */
function waitFor(leftMs: number): number {
  const half = Math.max(leftMs / 2, Math.min(shortestWaitMs, leftMs));
  return Math.floor(Math.max(0, Math.min(half, longestWaitMs)));
}

/** Throws the job's error if it has failed. Does nothing if BigQuery doesn't respond. */
async function throwIfFailed({ jobs }: JobTools, { limits }: QueryToRun, job: JobReference): Promise<void> {
  const known = await jobs.get(job, { ...limits, attempt: 'single' }).catch(() => undefined);
  limits.signal.throwIfAborted();
  const failure = known?.status?.errorResult;
  if (failure !== undefined) throw new JobError(failure);
}

/** Whether the error shows that the job has ended. */
function hasEnded(error: unknown): boolean {
  if (error instanceof JobError) return true;
  if (!(error instanceof ApiError) || isRetryable(error)) return false;
  return error.status !== undefined && error.status !== 401 && error.status !== 404;
}
