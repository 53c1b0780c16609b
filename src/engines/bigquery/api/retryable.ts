import { type ApiError, NoAnswer } from './api-error.ts';

/**
 * Transient reasons, whatever their status, of failed jobs too:
 * https://docs.cloud.google.com/bigquery/docs/error-messages
 */
const passingReasons = new Set(['backendError', 'rateLimitExceeded']);

/**
 * Transient failures of a job, which BigQuery reports with status 400 when the job's rows are requested. Google's
 * clients then create a new job: a repeated request about the same job would get the same error.
 */
const passingJobReasons = new Set(['jobBackendError', 'jobInternalError', 'jobRateLimitExceeded']);

const passingStatuses = new Set([429, 500, 502, 503]);

/**
 * Reasons about the request or its job itself, which a retry would repeat. BigQuery sends some of them with status 500
 * when the result of a failed job is requested.
 */
const lastingReasons = new Set([
  'accessDenied',
  'billingNotEnabled',
  'billingTierLimitExceeded',
  'blocked',
  'bytesBilledLimitExceeded',
  'duplicate',
  'invalid',
  'invalidQuery',
  'invalidUser',
  'notFound',
  'notImplemented',
  'proxyAuthenticationRequired',
  'queryTimeout',
  'quotaExceeded',
  'reservationCapacityExceeded',
  'resourceInUse',
  'resourcesExceeded',
  'responseTooLarge',
  'stopped',
  'timeout',
]);

/** Whether a new job may succeed after this reason. */
export function isRetryableReason(reason: string): boolean {
  return passingReasons.has(reason) || isJobReason(reason);
}

/** Whether this reason in a response means that the job itself has failed, and a new one may succeed. */
export function isJobReason(reason: string): boolean {
  return passingJobReasons.has(reason);
}

/** Whether a retry of the call may succeed. */
export function isRetryable(error: ApiError): boolean {
  if (error instanceof NoAnswer || isRetryableReason(error.proto.reason)) return true;
  if (error.status === undefined || !passingStatuses.has(error.status)) return false;
  return error.status === 429 || !lastingReasons.has(error.proto.reason);
}

/** Whether the error indicates that BigQuery is down, rather than that it refuses this call. */
export function isSignOfBeingDown(error: ApiError): boolean {
  if (error instanceof NoAnswer || error.status === 429) return true;
  return error.status !== undefined && error.status >= 500 && !lastingReasons.has(error.proto.reason);
}
