import { GoogleError } from '../wire/google-error.ts';
import { checkLabels } from '../wire/labels.ts';
import type { QuerySpec } from './query-spec.ts';

const reservation =
  /^(?:none|projects\/[^/]+\/locations\/[^/]+\/reservations\/[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?)$/;
const longestQuery = 1_024_000;

/** Checks a query's options before its SQL is analyzed. Returns the SQL. */
export function checkSpec({
  query,
  labels,
  priority,
  reservation: reserved,
  jobTimeoutMs,
}: QuerySpec): string {
  const { sql, useLegacySql, maximumBytesBilled, parameters } = query;
  if (sql === undefined || sql === '') {
    throw new GoogleError(
      { reason: 'required', message: 'Required parameter is missing: query', location: 'query' },
      { status: 400 },
    );
  }
  if (sql.length > longestQuery) {
    throw GoogleError.invalid(
      `The query is too large. The maximum standard SQL query length is ${longestQuery / 1000}K characters`,
    );
  }
  if (useLegacySql) {
    const message =
      parameters.length > 0
        ? 'Query parameters are not supported in legacy SQL; set useLegacySql to false'
        : 'This server has no legacy SQL, which is the default; set useLegacySql to false';
    throw new GoogleError({ reason: 'invalidQuery', message, location: 'q' });
  }
  if (priority !== 'INTERACTIVE' && priority !== 'BATCH') {
    throw GoogleError.invalid(`Invalid value for priority: ${priority} is not a valid value`, 'priority');
  }
  if (maximumBytesBilled !== undefined && maximumBytesBilled <= 0) {
    throw GoogleError.invalid(
      'Invalid value for maximumBytesBilled: it must be positive',
      'maximumBytesBilled',
    );
  }
  if (jobTimeoutMs !== undefined && jobTimeoutMs <= 0) {
    throw GoogleError.invalid('Invalid value for jobTimeoutMs: it must be positive', 'jobTimeoutMs');
  }
  if (reserved !== undefined && reserved !== '' && !reservation.test(reserved)) {
    throw GoogleError.invalid(`Invalid reservation name: ${reserved}`, 'reservation');
  }
  checkLabels(labels);
  return sql;
}
