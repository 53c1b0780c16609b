import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { ApiError, NoAnswer, NoCredentials } from '../api/api-error.ts';
import { isRetryable } from '../api/retryable.ts';
import type { JobAnswer, QueryAnswer } from './answers.ts';
import { type JobTools, newJob, type QueryToRun } from './job-tools.ts';
import { jobBody, queryBody } from './requests.ts';
import type { Tries } from './tries.ts';

/**
 * Milliseconds for which a call that creates a job continues after its caller has left: its response contains the job's
 * location. Without a response, a job with an id of ours can still be cancelled, and must not run on until then.
 */
const insertGraceMs = 500;
/**
 * Without an id of ours, a job is lost with its response. So this waits longer, beyond the time for which BigQuery may
 * delay it.
 */
const queryGraceMs = 1_000;

/**
 * Milliseconds that jobs.query waits for the rows before it reports the job that it has created. The job of a caller
 * who has left runs until then, and closing has to wait for it.
 */
const queryWaitMs = 1_000;

/**
 * Creates a job with an id of ours: if a response is lost, the next attempt finds the job (`duplicate`). A job is
 * cancelled if nobody waits for it any more, or if it may exist although the calls failed.
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
 * Requests a query's rows without a job; BigQuery creates one if the query takes longer. The job can't be cancelled
 * before BigQuery reports it: so that happens soon, and the response is read even if nobody waits for the rows any
 * more.
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
      // The retry of a failed query must not get the remembered failure.
      if (!(error instanceof NoAnswer)) requestId = newId();
    }
  }
}

async function mayBeRepeated(error: unknown, tries: Tries, signal: AbortSignal): Promise<boolean> {
  return !signal.aborted && error instanceof ApiError && isRetryable(error) && (await tries.another(error));
}

/** `duplicate`: the job with this id exists, and only we use the id. */
const isDuplicate = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 409;

/** Unknown after a lost response, or one with a status of 500 or more. */
function mayHaveBeenMade(error: unknown): boolean {
  if (!(error instanceof ApiError) || error instanceof NoCredentials) return false;
  return error.status === undefined || error.status >= 500;
}

/**
 * Makes a call whose outcome matters even when nobody waits for it. When the signal is aborted, this rejects
 * immediately with its reason, but the call may continue for a grace period.
 *
 * @param graceMs the grace period in milliseconds
 * @param late receives the continuing call
 */
async function outlive<T>(
  call: (signal: AbortSignal) => Promise<T>,
  {
    signal,
    clock,
    graceMs,
    late,
  }: {
    readonly signal: AbortSignal;
    readonly clock: Clock;
    readonly graceMs: number;
    readonly late: (outcome: Promise<T>) => void;
  },
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const outcome = call(own.signal);
  const leave = () => {
    const timer = clock.after(graceMs, () => own.abort(signal.reason));
    late(outcome.finally(() => timer.cancel()));
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await raceWithAbort(() => outcome, signal);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
