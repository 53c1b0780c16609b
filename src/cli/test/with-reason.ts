import { GatewayError } from '../../base/errors/errors.ts';
import { isFullyReported } from '../../engines/bigquery/jobs/failures.ts';

/**
 * An error with BigQuery's own words, for those who test. Callers may not see what BigQuery says of projects, tables and
 * credentials. What they see all of, as of a mistake in the query, stays in the words that they get.
 */
export function withReason(error: unknown): unknown {
  if (!(error instanceof GatewayError) || !(error.cause instanceof Error)) return error;
  if (isFullyReported(error.cause)) return error;
  return new GatewayError(error.code, error.cause.message, { cause: error.cause });
}
