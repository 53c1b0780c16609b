import type { Clock } from '../../clock.ts';
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
import type { ApiCall, BigQueryApi } from './api/big-query-api.ts';
import type { JobBody } from './requests.ts';
import { AnswerError } from './values/answer-error.ts';

/**
 * One attempt only: `single` when another one may follow, for which it leaves time; `last` when none may, so that it may take
 * all the time that there is.
 */
export type Attempt = 'single' | 'last';

/** What bounds a call. */
export interface Limits {
  readonly signal: AbortSignal;
  /** When the signal is aborted at the latest, by the clock's `elapsed()`. */
  readonly deadline?: number;
  /** Without it, the call is repeated as often as helps. */
  readonly attempt?: Attempt;
}

export interface PageRequest {
  /** Rows that the page may have at most. */
  readonly maxRows: number;
  /** Milliseconds that BigQuery may hold the answer back while the job isn't complete. */
  readonly waitMs: number;
  readonly pageToken?: string;
}

/** Milliseconds in which an answer is expected that BigQuery has no reason to hold back. */
const answerMs = 5_000;
/** Making a job takes it longer. */
const makingMs = 10_000;

/** Milliseconds in which it makes no sense to give one attempt up for another. */
const worthwhileMs = 1_000;

type Call<T> = Omit<ApiCall<T>, 'signal' | 'attemptTimeoutMs' | 'maxAttempts' | 'deadline'>;

/** BigQuery's calls about jobs, one by one. Each fails as {@link BigQueryApi.call} does. */
export class Jobs {
  readonly #api: Pick<BigQueryApi, 'call'>;
  readonly #clock: Clock;
  readonly #inProject: string;
  #lastLocation: string | undefined;

  /** @param options.project the one that jobs are made in */
  constructor(options: { api: Pick<BigQueryApi, 'call'>; clock: Clock; project: string }) {
    this.#api = options.api;
    this.#clock = options.clock;
    this.#inProject = `/projects/${encodeURIComponent(options.project)}`;
  }

  /** jobs.insert of a job with an id of our own, which may be sent twice and is one job. */
  async insert(body: JobBody, limits: Limits): Promise<JobAnswer> {
    const path = `${this.#inProject}/jobs`;
    const answer = await this.#call({ method: 'POST', path, body, answer: jobAnswer }, limits, makingMs);
    this.#lastLocation = answer.jobReference.location ?? this.#lastLocation;
    return ofJob(body.jobReference, answer);
  }

  /**
   * Where a job is whose making wasn't answered: where the request said; else where BigQuery's sentence on the second
   * attempt says, `Already Exists: Job project:EU.id`; else where jobs of this deployment have run before.
   */
  found(job: JobReference, sentence = ''): JobReference {
    const [, told] = /\bJob \S+:([A-Za-z0-9-]+)\.\S/.exec(sentence) ?? [];
    const location = job.location ?? told ?? this.#lastLocation;
    return location === undefined ? job : { ...job, location };
  }

  /** jobs.insert of a dry run. */
  dryRun(body: object, limits: Limits) {
    const path = `${this.#inProject}/jobs`;
    return this.#call({ method: 'POST', path, body, answer: dryRunAnswer }, limits, makingMs);
  }

  /** jobs.query. @param waitMs milliseconds that BigQuery may hold the answer back, as the body says */
  query(body: object, waitMs: number, limits: Limits): Promise<QueryAnswer> {
    const path = `${this.#inProject}/queries`;
    return this.#call({ method: 'POST', path, body, answer: queryAnswer }, limits, makingMs, waitMs);
  }

  /** jobs.getQueryResults: a page of rows, or that they aren't there yet. */
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

  /** jobs.get: how a job stands. */
  async get(job: JobReference, limits: Limits): Promise<JobAnswer> {
    const call = {
      method: 'GET',
      path: pathOf('jobs', job),
      query: located(job),
      answer: jobAnswer,
    } as const;
    return ofJob(job, await this.#call(call, limits, answerMs));
  }

  /** jobs.cancel. BigQuery answers before the job has ended. */
  async cancel(job: JobReference, limits: Limits): Promise<void> {
    const path = `${pathOf('jobs', job)}/cancel`;
    await this.#call({ method: 'POST', path, query: located(job), answer: cancelAnswer }, limits, answerMs);
  }

  /**
   * @param ownMs milliseconds that BigQuery and the network need for themselves
   * @param waitMs milliseconds that the answer may be held back
   */
  #call<T>(call: Call<T>, limits: Limits, ownMs: number, waitMs = 0): Promise<T> {
    const { signal, deadline, attempt } = limits;
    const leftMs = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - this.#clock.elapsed();
    // A server that hangs is left early enough to be asked once more. Where that isn't, the signal ends the attempt.
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

/** Outside of the US and the EU, a job is found by its id and its location only. */
const located = ({ location }: JobReference): Record<string, string> =>
  location === undefined ? {} : { location };

/** An answer about another job would be somebody else's rows. */
function ofJob<T extends { readonly jobReference?: JobReference | undefined }>(
  { jobId }: JobReference,
  answer: T,
): T {
  const answered = answer.jobReference?.jobId ?? jobId;
  if (answered !== jobId) throw new AnswerError(`the answer is about the job ${answered}, not ${jobId}`);
  return answer;
}
