import { ApiError } from '../api/api-error.ts';
import { JobError } from './job-error.ts';

/**
 * Reasons for which the query as it is written may still be accepted, or is to be the one that is refused. Access may be denied to
 * a column that only `SELECT *` reads.
 */
const reasonsOfTexts: ReadonlySet<string> = new Set([
  'invalidQuery',
  'invalid',
  'invalidParameter',
  'badRequest',
  'parseError',
  'notImplemented',
  'bytesBilledLimitExceeded',
  'accessDenied',
]);

/** BigQuery's reason for an error. Empty if there is none. */
export function reasonOf(error: unknown): string {
  return error instanceof JobError || error instanceof ApiError ? error.proto.reason : '';
}

/** Whether another text of the same query may be accepted. */
export function isOfText(error: unknown): boolean {
  return reasonsOfTexts.has(reasonOf(error));
}
