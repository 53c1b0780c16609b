import { GatewayError } from '../../../base/errors/errors.ts';

/**
 * Whether DuckDB has invalidated its database. After an incomplete write, as on a full disk, it refuses all work until the
 * database is opened again. What was committed is still there then.
 */
export function isFatal(error: unknown): boolean {
  if (error instanceof GatewayError) return isFatal(error.details.cause);
  return /^FATAL Error|database has been invalidated/.test(error instanceof Error ? error.message : '');
}

/** The message for callers from then on. */
export function fatalError(cause?: unknown): GatewayError {
  const message = 'The store has failed and must be reopened.';
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 });
}
