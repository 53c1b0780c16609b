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

/** What bounds a call. */
export interface Limits {
  readonly signal: AbortSignal;
  /** The request's deadline, on the clock's `elapsed`. */
  readonly deadline?: number;
  readonly maxAttempts?: number;
}

export interface PageRequest {
  /** Rows that the page may have at most. */
  readonly maxRows: number;
  /** Milliseconds that BigQuery may hold the answer back while the job isn't complete. */
  readonly waitMs: number;
  readonly pageToken?: string;
}

/** Milliseconds for an answer that BigQuery has no reason to hold back. */
const answerMs = 5_000;
/** Making a job takes it longer. */
const insertMs = 10_000;

/** BigQuery's calls about jobs, one by one. Each fails as {@link BigQueryApi.call} does. */
export class Jobs {
  readonly #api: BigQueryApi;
  readonly #project: string;
  #lastLocation: string | undefined;

  /** @param project the one that jobs are made in */
  constructor(api: BigQueryApi, project: string) {
    this.#api = api;
    this.#project = project;
  }

  /** jobs.insert of a job with an id of our own, which may be made twice and is one job. */
  async insert(body: JobBody, limits: Limits): Promise<JobAnswer> {
    const answer = await this.#post('/jobs', { body, answer: jobAnswer, attemptTimeoutMs: insertMs }, limits);
    this.#lastLocation = answer.jobReference.location ?? this.#lastLocation;
    return ofJob(body.jobReference.jobId, answer);
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

  dryRun(body: object, limits: Limits) {
    return this.#post('/jobs', { body, answer: dryRunAnswer, attemptTimeoutMs: insertMs }, limits);
  }

  /** jobs.query. @param waitMs milliseconds that BigQuery holds the answer back, as the body says */
  query(body: object, waitMs: number, limits: Limits): Promise<QueryAnswer> {
    return this.#post('/queries', { body, answer: queryAnswer, attemptTimeoutMs: waitMs + insertMs }, limits);
  }

  /** jobs.getQueryResults: a page of rows, or that they aren't there yet. */
  async results(job: JobReference, page: PageRequest, limits: Limits): Promise<ResultsAnswer> {
    const { maxRows, waitMs, pageToken } = page;
    const answer = await this.#api.call({
      method: 'GET',
      path: `/projects/${encodeURIComponent(job.projectId)}/queries/${encodeURIComponent(job.jobId)}`,
      query: {
        ...located(job),
        ...(pageToken !== undefined && { pageToken }),
        maxResults: String(maxRows),
        timeoutMs: String(waitMs),
        'formatOptions.useInt64Timestamp': 'true',
      },
      answer: resultsAnswer,
      attemptTimeoutMs: waitMs + answerMs,
      ...limits,
    });
    return ofJob(job.jobId, answer);
  }

  /** jobs.get: how a job stands. */
  async get(job: JobReference, limits: Limits): Promise<JobAnswer> {
    const answer = await this.#api.call({
      method: 'GET',
      path: jobPath(job),
      query: located(job),
      answer: jobAnswer,
      attemptTimeoutMs: answerMs,
      ...limits,
    });
    return ofJob(job.jobId, answer);
  }

  /** jobs.cancel. BigQuery answers before the job has ended. */
  async cancel(job: JobReference, limits: Limits): Promise<void> {
    await this.#api.call({
      method: 'POST',
      path: `${jobPath(job)}/cancel`,
      query: located(job),
      answer: cancelAnswer,
      attemptTimeoutMs: answerMs,
      ...limits,
    });
  }

  #post<T>(
    path: string,
    call: Pick<ApiCall<T>, 'body' | 'answer' | 'attemptTimeoutMs'>,
    limits: Limits,
  ): Promise<T> {
    const inProject = `/projects/${encodeURIComponent(this.#project)}${path}`;
    return this.#api.call({ method: 'POST', path: inProject, ...call, ...limits });
  }
}

const jobPath = ({ projectId, jobId }: JobReference) =>
  `/projects/${encodeURIComponent(projectId)}/jobs/${encodeURIComponent(jobId)}`;

/** Outside of the US and the EU, a job is found by its id and its location only. */
const located = ({ location }: JobReference): Record<string, string> =>
  location === undefined ? {} : { location };

/** An answer about another job would be somebody else's rows. */
function ofJob<T extends { readonly jobReference?: JobReference | undefined }>(jobId: string, answer: T): T {
  const answered = answer.jobReference?.jobId ?? jobId;
  if (answered !== jobId) throw new AnswerError(`the answer is about the job ${answered}, not ${jobId}`);
  return answer;
}
