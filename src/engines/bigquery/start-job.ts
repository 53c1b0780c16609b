import type { JobAnswer, QueryAnswer } from './answers.ts';
import { ApiError, NoAnswer, NoCredentials } from './api/api-error.ts';
import { isRetryable } from './api/retryable.ts';
import { type JobTools, newJob, type QueryToRun } from './job-tools.ts';
import { outlive } from './outlive.ts';
import { jobBody, queryBody } from './requests.ts';
import type { Tries } from './tries.ts';

/**
 * Milliseconds that a call that makes a job may go on when its caller has left: its answer says where the job is. Without
 * it, a job with an id of our own can be cancelled as well, and is not to run on until then.
 */
const insertGraceMs = 500;
/** One without is lost with the answer: that is waited for longer, behind the time for which BigQuery may hold it back. */
const queryGraceMs = 1_000;

/**
 * Milliseconds that jobs.query waits for the rows of a query, before it says which job it has made of it. For so long, the
 * job of a caller who has left runs on, and closing has to wait for it.
 */
const queryWaitMs = 1_000;

/**
 * Makes a job under an id of our own: when an answer is lost, the next attempt finds the job made (`duplicate`).
 * A job that nobody waits for any more, or that may have been made although the calls failed, is cancelled.
 *
 * @throws ApiError, GatewayError, or the signal's reason
 */
export async function insertJob(tools: JobTools, todo: QueryToRun, tries: Tries): Promise<JobAnswer> {
  const { jobs, cancels, clock } = tools;
  const { query, limits, jobTimeoutMs } = todo;
  const own = newJob(tools, query.settings);
  let mayExist = false;
  let isLeft = false;
  const insert = async (signal: AbortSignal): Promise<JobAnswer> => {
    try {
      return await jobs.insert(jobBody(query, own, jobTimeoutMs()), {
        ...limits,
        signal,
        attempt: tries.attempt,
      });
    } catch (error) {
      mayExist ||= signal.aborted || mayHaveBeenMade(error);
      if (isDuplicate(error)) return { jobReference: jobs.found(own, error.message) };
      throw error;
    }
  };
  const late = (outcome: Promise<JobAnswer>) => {
    isLeft = true;
    cancels.cancel(
      outcome.then(
        ({ jobReference }) => jobReference,
        () => (mayExist ? jobs.found(own) : undefined),
      ),
    );
  };
  try {
    for (;;) {
      try {
        return await outlive(insert, { signal: limits.signal, clock, graceMs: insertGraceMs, late });
      } catch (error) {
        if (!(await mayBeRepeated(error, tries, limits.signal))) throw error;
      }
    }
  } catch (error) {
    if (mayExist && !isLeft) cancels.cancel(jobs.found(own));
    throw error;
  }
}

/**
 * Asks for a query's rows without asking for a job; BigQuery makes one where the query takes it longer. Until it says
 * which, the job can't be cancelled: so it is to say it soon, and is heard even when nobody waits for the rows any more.
 *
 * @throws ApiError, GatewayError, or the signal's reason
 */
export async function askDirectly(tools: JobTools, todo: QueryToRun, tries: Tries): Promise<QueryAnswer> {
  const { jobs, cancels, clock, newId } = tools;
  const { query, maxRows, limits, jobTimeoutMs } = todo;
  const late = (outcome: Promise<QueryAnswer>) =>
    cancels.cancel(
      outcome.then(
        ({ jobComplete, jobReference }) => (jobComplete ? undefined : jobReference),
        () => undefined,
      ),
    );
  for (let requestId = newId(); ; ) {
    const timeoutMs = jobTimeoutMs();
    const waitMs = Math.min(queryWaitMs, Math.ceil(timeoutMs / 2));
    const body = queryBody(query, { requestId, timeoutMs, waitMs, maxRows });
    const ask = (signal: AbortSignal) =>
      jobs.query(body, waitMs, { ...limits, signal, attempt: tries.attempt });
    try {
      return await outlive(ask, { signal: limits.signal, clock, graceMs: waitMs + queryGraceMs, late });
    } catch (error) {
      if (!(await mayBeRepeated(error, tries, limits.signal))) throw error;
      // What has failed is not to be answered from what is remembered of it.
      if (!(error instanceof NoAnswer)) requestId = newId();
    }
  }
}

async function mayBeRepeated(error: unknown, tries: Tries, signal: AbortSignal): Promise<boolean> {
  return !signal.aborted && error instanceof ApiError && isRetryable(error) && (await tries.another(error));
}

/** `duplicate`: the id is a job's already, and ours alone. */
const isDuplicate = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 409;

/** After a lost answer nobody knows, nor after one with a status of 500 or more. */
function mayHaveBeenMade(error: unknown): boolean {
  if (!(error instanceof ApiError) || error instanceof NoCredentials) return false;
  return error.status === undefined || error.status >= 500;
}
