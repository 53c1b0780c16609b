import type { Job } from '../jobs/job.ts';
import { type Page, type PageRequest, pageOf, pageToken } from '../jobs/page.ts';
import { type ErrorProto, GoogleError } from '../wire/google-error.ts';
import { resultSchema } from '../wire/results.ts';
import type { Call } from './call.ts';

/** The common part of two methods' responses about a job's rows, and the start of the next page. */
export interface ResultsAnswer {
  readonly json: object;
  readonly isComplete: boolean;
  readonly hasMore: boolean;
}

/**
 * A page of a job's rows, or that the job isn't complete.
 *
 * @throws GoogleError the job's error, if it has failed
 */
export function resultsAnswer(job: Job, request: PageRequest, { fault }: Pick<Call, 'fault'>): ResultsAnswer {
  if (!job.isDone || fault?.incomplete) {
    return { json: { jobComplete: false }, isComplete: false, hasMore: false };
  }
  const { result, error, reference, planned } = job;
  if (result === undefined) throw failureOfJob(error ?? { reason: 'internalError', message: 'Not run' });
  const page = spoiledPage(pageOf(result, limited(request, fault)), request.start, fault);
  return {
    isComplete: true,
    hasMore: page.next !== undefined,
    json: {
      schema: resultSchema(result.columns),
      totalRows: String(result.rows.length),
      ...(page.next !== undefined && { pageToken: pageToken(reference.jobId, page.next) }),
      ...(page.rows.length > 0 && { rows: page.rows }),
      totalBytesProcessed: String(result.cacheHit ? 0 : (planned?.bytesProcessed ?? 0)),
      jobComplete: true,
      cacheHit: result.cacheHit,
    },
  };
}

/**
 * The reasons with which BigQuery reports a job's transient failure when its rows are requested, by the reason in the
 * job: https://cloud.google.com/bigquery/docs/error-messages. They have status 400, since only a new job can succeed.
 */
const reasonsOfJobs: Readonly<Record<string, string>> = {
  backendError: 'jobBackendError',
  internalError: 'jobInternalError',
  rateLimitExceeded: 'jobRateLimitExceeded',
};

function failureOfJob(error: ErrorProto): GoogleError {
  return new GoogleError({ ...error, reason: reasonsOfJobs[error.reason] ?? error.reason });
}

function limited(request: PageRequest, fault: Call['fault']): PageRequest {
  return fault?.rowsPerPage === undefined
    ? request
    : { ...request, maxRows: Math.min(request.maxRows, fault.rowsPerPage) };
}

function spoiledPage(page: Page, start: number, fault: Call['fault']): Page {
  if (fault?.emptyPage) return { rows: [], next: start };
  return fault?.repeatToken ? { ...page, next: start } : page;
}
