import { GatewayError } from '../../../base/errors/errors.ts';
import { ApiError } from '../api/api-error.ts';
import { failureOf } from '../jobs/failures.ts';

/** No message about the query is used. */
const noQuery = {
  text: { place: () => undefined, withSources: (message: string) => message },
  maxBytesBilled: undefined,
};

const operator = 'The operator of the gateway must fix this.';

/**
 * The error of a failed insert for callers. The reasons of BigQuery mean what they mean for queries.
 *
 * @returns undefined for an error that isn't BigQuery's
 */
export function insertFailure(error: unknown, source: string): GatewayError | undefined {
  const failure = failureOf(error, noQuery);
  if (failure === undefined) return undefined;
  const { retryAfterSeconds } = failure.details;
  if (failure.code === 'OVERLOADED') {
    return unavailable('OVERLOADED', 'BigQuery accepts no more rows from the gateway at the moment.', {
      retryAfterSeconds: retryAfterSeconds ?? 1,
      cause: error,
    });
  }
  if (failure.code === 'QUERY_TIMEOUT' || retryAfterSeconds !== undefined) {
    return unavailable('BACKEND_UNAVAILABLE', 'BigQuery could not add the rows at the moment.', {
      retryAfterSeconds: retryAfterSeconds ?? 1,
      cause: error,
    });
  }
  return unavailable('BACKEND_UNAVAILABLE', `${refusal(error, failure, source)} ${operator}`, {
    cause: error,
  });
}

function refusal(error: unknown, { code }: GatewayError, source: string): string {
  if (code !== 'BACKEND_UNAVAILABLE') return `BigQuery does not accept the rows of ${source} in this form.`;
  const isMissing = error instanceof ApiError && (error.proto.reason === 'notFound' || error.status === 404);
  return isMissing
    ? `BigQuery does not have the table for the rows of ${source}.`
    : `BigQuery does not allow the gateway to add rows to ${source}.`;
}

function unavailable(
  code: 'OVERLOADED' | 'BACKEND_UNAVAILABLE',
  message: string,
  details: GatewayError['details'],
): GatewayError {
  return new GatewayError(code, message, details);
}
