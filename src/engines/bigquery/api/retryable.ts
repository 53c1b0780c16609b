import { type ApiError, NoAnswer } from './api-error.ts';

/** Reasons that pass, whatever status they come with, and of failed jobs too: https://docs.cloud.google.com/bigquery/docs/error-messages */
const passingReasons = new Set(['backendError', 'rateLimitExceeded', 'jobRateLimitExceeded']);

const passingStatuses = new Set([429, 500, 502, 503]);

/**
 * Reasons that say what is wrong with a request or its job, and would be given again. BigQuery sends some of them with
 * status 500 where the result of a failed job is asked for.
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

/** Whether a job that failed for this reason may succeed when it is run again. */
export function isRetryableReason(reason: string): boolean {
  return passingReasons.has(reason);
}

/** Whether the same call may succeed when it is made again. */
export function isRetryable(error: ApiError): boolean {
  if (error instanceof NoAnswer || isRetryableReason(error.proto.reason)) return true;
  if (error.status === undefined || !passingStatuses.has(error.status)) return false;
  return error.status === 429 || !lastingReasons.has(error.proto.reason);
}

/** Whether the error speaks for a BigQuery that is down, rather than for one that refuses this call. */
export function isSignOfBeingDown(error: ApiError): boolean {
  if (error instanceof NoAnswer || error.status === 429) return true;
  return error.status !== undefined && error.status >= 500 && !lastingReasons.has(error.proto.reason);
}
