import type { Clock } from '../../../base/system/clock.ts';
import type { ApiCall, BigQueryApi } from '../api/big-query-api.ts';
import { AnswerError } from '../values/answer-error.ts';
import {
  cancelAnswer,
  dryRunAnswer,
  type JobAnswer,
  type JobReference,
  jobAnswer,
  type QueryAnswer,
  queryAnswer,
  type ResultsAnswer,
  resultsAnswer,
} from './answers.ts';
import type { JobBody } from './requests.ts';

/**
 * Makes one attempt only. `single` leaves time for a retry; `last` is the final attempt and may use all remaining time.
 */
export type Attempt = 'single' | 'last';

/** The limits of a call. */
interface Limits {
  readonly signal: AbortSignal;
  /** The latest time at which the signal is aborted, by the clock's `elapsed()`. */
  readonly deadline?: number;
  /** If absent, the call is retried as often as helps. */
  readonly attempt?: Attempt;
}

interface PageRequest {
  /** The maximum number of rows in the page. */
  readonly maxRows: number;
  /** Milliseconds for which BigQuery may delay the response while the job isn't complete. */
  readonly waitMs: number;
  readonly pageToken?: string;
}

/** Milliseconds in which BigQuery normally responds, if it has no reason to delay. */
const answerMs = 5_000;
/** Creating a job takes longer. */
const makingMs = 10_000;

/** With fewer milliseconds left, an attempt uses all of them: there is no time for a retry. */
const worthwhileMs = 1_000;

type Call<T> = Omit<ApiCall<T>, 'signal' | 'attemptTimeoutMs' | 'maxAttempts' | 'deadline'>;

/** BigQuery's calls about jobs. Each fails like {@link BigQueryApi.call}. */
export class Jobs {
  readonly #api: Pick<BigQueryApi, 'call'>;
  readonly #clock: Clock;
  readonly #inProject: string;
  #lastLocation: string | undefined;

  /** @param options.project the project of the jobs */
  constructor(options: { api: Pick<BigQueryApi, 'call'>; clock: Clock; project: string }) {
    this.#api = options.api;
    this.#clock = options.clock;
    this.#inProject = `/projects/${encodeURIComponent(options.project)}`;
  }

  /** jobs.insert with a job id chosen here: sending it twice creates only one job. */
  async insert(body: JobBody, limits: Limits): Promise<JobAnswer> {
    const path = `${this.#inProject}/jobs`;
    const answer = await this.#call({ method: 'POST', path, body, answer: jobAnswer }, limits, makingMs);
    this.#lastLocation = answer.jobReference.location ?? this.#lastLocation;
    return ofJob(body.jobReference, answer);
  }

  /**
   * The location of a job whose creation got no response: the one in the request, else the one in BigQuery's message
   * for the second attempt, `Already Exists: Job project:EU.id`, else the one of earlier jobs of this deployment.
   */
  found(job: JobReference, sentence = ''): JobReference {
    const [, reported] = /\bJob \S+:([A-Za-z0-9-]+)\.\S/.exec(sentence) ?? [];
    const location = job.location ?? reported ?? this.#lastLocation;
    return location === undefined ? job : { ...job, location };
  }

  /** jobs.insert of a dry run. */
  dryRun(body: object, limits: Limits) {
    const path = `${this.#inProject}/jobs`;
    return this.#call({ method: 'POST', path, body, answer: dryRunAnswer }, limits, makingMs);
  }

  /** jobs.query. @param waitMs milliseconds for which BigQuery may delay the response, as given in the body */
  query(body: object, waitMs: number, limits: Limits): Promise<QueryAnswer> {
    const path = `${this.#inProject}/queries`;
    return this.#call({ method: 'POST', path, body, answer: queryAnswer }, limits, makingMs, waitMs);
  }

  /** jobs.getQueryResults: a page of rows, or that the job isn't complete. */
  async results(
    job: JobReference,
    { maxRows, waitMs, pageToken }: PageRequest,
    limits: Limits,
  ): Promise<ResultsAnswer> {
    const query = {
      ...located(job),
      ...(pageToken !== undefined && { pageToken }),
      maxResults: String(maxRows),
      timeoutMs: String(waitMs),
      'formatOptions.useInt64Timestamp': 'true',
    };
    const path = pathOf('queries', job);
    const call = { method: 'GET', path, query, answer: resultsAnswer } as const;
    return ofJob(job, await this.#call(call, limits, answerMs, waitMs));
  }

  /** jobs.get: the state of a job. */
  async get(job: JobReference, limits: Limits): Promise<JobAnswer> {
    const call = {
      method: 'GET',
      path: pathOf('jobs', job),
      query: located(job),
      answer: jobAnswer,
    } as const;
    return ofJob(job, await this.#call(call, limits, answerMs));
  }

  /** jobs.cancel. BigQuery responds before the job has ended. */
  async cancel(job: JobReference, limits: Limits): Promise<void> {
    const path = `${pathOf('jobs', job)}/cancel`;
    await this.#call({ method: 'POST', path, query: located(job), answer: cancelAnswer }, limits, answerMs);
  }

  /**
   * @param ownMs milliseconds that BigQuery and the network need
   * @param waitMs milliseconds for which the response may be delayed
   */
  #call<T>(call: Call<T>, limits: Limits, ownMs: number, waitMs = 0): Promise<T> {
    const { signal, deadline, attempt } = limits;
    const leftMs = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - this.#clock.elapsed();
    // Times out early enough for a retry if the server hangs. Without a retry, only the signal ends the attempt.
    const isLast = attempt === 'last' || leftMs < worthwhileMs;
    const attemptTimeoutMs = isLast ? leftMs + ownMs : waitMs + Math.min(ownMs, (leftMs - waitMs) / 2);
    return this.#api.call({
      ...call,
      signal,
      attemptTimeoutMs: Number.isFinite(attemptTimeoutMs) ? attemptTimeoutMs : ownMs + waitMs,
      ...(deadline !== undefined && { deadline }),
      ...(attempt !== undefined && { maxAttempts: 1 }),
    });
  }
}

const pathOf = (collection: 'jobs' | 'queries', { projectId, jobId }: JobReference): string =>
  `/projects/${encodeURIComponent(projectId)}/${collection}/${encodeURIComponent(jobId)}`;

/** Outside the US and the EU, a job is only found with its location. */
const located = ({ location }: JobReference): Record<string, string> =>
  location === undefined ? {} : { location };

/** A response about another job could contain another caller's rows. */
function ofJob<T extends { readonly jobReference?: JobReference | undefined }>(
  { jobId }: JobReference,
  answer: T,
): T {
  const answered = answer.jobReference?.jobId ?? jobId;
  if (answered !== jobId) throw new AnswerError(`the answer is about the job ${answered}, not ${jobId}`);
  return answer;
}
