import { type ErrorCode, GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { failureKind } from '../../engine/failure-kind.ts';
import { ApiError, type ErrorProto, NoAnswer, NoCredentials } from '../api/api-error.ts';
import type { JobText } from '../sql/job-text.ts';
import { AnswerError } from '../values/answer-error.ts';
import { JobError } from './job-error.ts';
import { querySentence } from './query-sentence.ts';

/** `Query exceeded limit for bytes billed: 85716253. 171966464 or higher required.` */
const bothFigures = /bytes billed: (\d{1,19})\. (\d{1,19}) or higher/;

/** The failed query, as far as its error message needs it. */
export interface FailedQuery {
  readonly text: Pick<JobText, 'place' | 'withSources'>;
  /** The job's limit, if any. */
  readonly maxBytesBilled: number | undefined;
}

/** The error for callers. */
interface CallerError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /**
   * The error for callers who may not see every row: BigQuery may evaluate rows that a condition excludes, and quote
   * them.
   */
  readonly withoutValues?: string;
}

type CallerErrorMaker = (message: string, query: FailedQuery) => CallerError;

const always =
  (code: ErrorCode, message: string, retryAfterSeconds?: number): CallerErrorMaker =>
  () => ({ code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });

const operator = 'The operator of the gateway must fix this.';
const byAuthor: CallerErrorMaker = (message, { text }) => ({
  code: 'QUERY_FAILED',
  message: querySentence(message, text) || 'BigQuery could not answer the query.',
  withoutValues: failureKind(message),
});
const needsTooMuch = "The query exceeds BigQuery's resource limits";
const tooLarge: CallerErrorMaker = (message, query) => ({
  code: 'QUERY_FAILED',
  message: `${needsTooMuch}: ${byAuthor(message, query).message}`,
  withoutValues: `${needsTooMuch}.`,
});
const tooCostly: CallerErrorMaker = (message, { maxBytesBilled }) => ({
  code: 'COST_LIMIT_EXCEEDED',
  message: costSentence(message, maxBytesBilled),
});
const notAccepted = always('QUERY_FAILED', 'BigQuery does not accept the query in this form.');
const notAllowed = always(
  'BACKEND_UNAVAILABLE',
  `BigQuery does not allow the gateway to run this query. ${operator}`,
);
const missing = always(
  'BACKEND_UNAVAILABLE',
  `BigQuery does not have a table that the query reads. ${operator}`,
);
const busy = always('OVERLOADED', 'BigQuery accepts no more queries from the gateway at the moment.', 5);
const usedUp = always('OVERLOADED', 'A quota of the gateway on BigQuery is used up.', 60);
const broken = always('BACKEND_UNAVAILABLE', 'BigQuery could not run the query at the moment.', 1);
const timedOut = always('QUERY_TIMEOUT', 'BigQuery stopped the query: it exceeded its time limit.');
const stopped = always('QUERY_FAILED', 'The query was stopped on BigQuery before it was done.');

/** Reasons, by https://docs.cloud.google.com/bigquery/docs/error-messages */
const byReason: ReadonlyMap<string, CallerErrorMaker> = new Map<string, CallerErrorMaker>([
  ['invalidQuery', byAuthor],
  ['resourcesExceeded', tooLarge],
  ['responseTooLarge', always('QUERY_FAILED', 'The result is larger than BigQuery returns.')],
  ['notImplemented', always('QUERY_FAILED', 'The query needs something that BigQuery does not have.')],
  ['invalid', notAccepted],
  ['invalidParameter', notAccepted],
  ['badRequest', notAccepted],
  ['parseError', notAccepted],
  ['bytesBilledLimitExceeded', tooCostly],
  ['billingTierLimitExceeded', tooCostly],
  // Timed-out jobs and cancelled jobs differ only in the message.
  [
    'stopped',
    (message, query) => (/\btime(?:d |-)?out\b/i.test(message) ? timedOut : stopped)(message, query),
  ],
  ['timeout', timedOut],
  ['accessDenied', notAllowed],
  ['billingNotEnabled', notAllowed],
  ['blocked', notAllowed],
  ['forbidden', notAllowed],
  ['invalidUser', notAllowed],
  // A missing job must not be reported as a missing table.
  ['notFound', (message, query) => (/^Not found: Job\b/i.test(message) ? broken : missing)(message, query)],
  [
    'tableUnavailable',
    always('BACKEND_UNAVAILABLE', 'A table is not available on BigQuery at the moment.', 30),
  ],
  // Whatever their status.
  ['backendError', broken],
  ['internalError', broken],
  ['jobBackendError', broken],
  ['jobInternalError', broken],
  ['quotaExceeded', usedUp],
  ['rateLimitExceeded', busy],
  ['jobRateLimitExceeded', busy],
  ['reservationCapacityExceeded', busy],
  ['resourceInUse', busy],
]);

/** Reasons with their own message for callers. For all others, the message is that BigQuery failed. */
export const knownReasons: readonly string[] = [...byReason.keys()];

/** Reasons with all details for callers. Their messages quote data as well, which must not be logged. */
const fullyReportedReasons = new Set([
  'invalidQuery',
  'resourcesExceeded',
  'responseTooLarge',
  'bytesBilledLimitExceeded',
  'billingTierLimitExceeded',
]);

/** Whether callers get all details of an error, so that the log needs none. */
export function isFullyReported(error: unknown): boolean {
  return (
    (error instanceof JobError || error instanceof ApiError) && fullyReportedReasons.has(error.proto.reason)
  );
}

const notKnown = always(
  'BACKEND_UNAVAILABLE',
  `The gateway has no credentials that BigQuery accepts. ${operator}`,
);

/** By status, for responses without a useful reason. */
const byStatus: ReadonlyMap<number, CallerErrorMaker> = new Map([
  [400, notAccepted],
  [401, notKnown],
  [403, notAllowed],
  [404, missing],
  [413, notAccepted],
  [429, busy],
]);

/**
 * The error of a failed run for callers. Names of tables, projects and jobs, and whatever else is not about the query,
 * appear only in the log.
 *
 * @returns undefined for an error that isn't BigQuery's
 */
export function failureOf(error: unknown, query: FailedQuery): GatewayError | undefined {
  const callerError = callerErrorOf(error, query);
  if (callerError === undefined) return undefined;
  const { code, message, retryAfterSeconds, withoutValues } = callerError;
  return new GatewayError(code, message, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(withoutValues !== undefined && { withoutValues }),
    cause: error,
  });
}

function callerErrorOf(error: unknown, query: FailedQuery): CallerError | undefined {
  if (error instanceof AnswerError) return invalid(error.message, query);
  if (error instanceof JobError) return byProto(error.proto, undefined)(error.proto.message, query);
  if (error instanceof NoCredentials) return notKnown(error.message, query);
  if (error instanceof NoAnswer) return noAnswer(error.message, query);
  if (!(error instanceof ApiError)) return undefined;
  const { status, proto, retryAfterSeconds } = error;
  const callerError = byProto(proto, status)(proto.message, query);
  return retryAfterSeconds === undefined || callerError.retryAfterSeconds === undefined
    ? callerError
    : { ...callerError, retryAfterSeconds };
}

const invalid = always('BACKEND_UNAVAILABLE', 'BigQuery returned an invalid response.');
const noAnswer = always('BACKEND_UNAVAILABLE', 'BigQuery could not be reached.', 1);
const unreadable = always('BACKEND_UNAVAILABLE', 'BigQuery returned an unreadable response.', 1);

function byProto({ reason }: ErrorProto, status: number | undefined): CallerErrorMaker {
  const maker = byReason.get(reason) ?? (status === undefined ? undefined : byStatus.get(status));
  return maker ?? (reason === '' && status === undefined ? unreadable : broken);
}

/**
 * The error of a query that would cost too much, with both amounts.
 *
 * @param message BigQuery's own message
 * @param limit the most bytes that the job could be billed
 */
function costSentence(message: string, limit: number | undefined): string {
  const [, ofBigQuery, needed] = bothFigures.exec(message) ?? [];
  const allowed = limit ?? (ofBigQuery === undefined ? undefined : Number(ofBigQuery));
  const atMost =
    allowed === undefined ? 'than it may be' : `than the ${counted(allowed, 'byte')} that it may be`;
  return needed === undefined
    ? `The query would be billed more bytes ${atMost}.`
    : `The query would be billed ${counted(Number(needed), 'byte')}, which is more ${atMost}.`;
}
