import { GatewayError } from '../../../errors.ts';

/**
 * Whether DuckDB has given its database up: what it couldn't write to its end, as on a full disk, may be there by half, so that it
 * does nothing more with it until it is opened anew. What was committed is there then.
 */
export function isFatal(error: unknown): boolean {
  if (error instanceof GatewayError) return isFatal(error.details.cause);
  return /^FATAL Error|database has been invalidated/.test(error instanceof Error ? error.message : '');
}

/** What callers are told from then on. */
export function fatalError(cause?: unknown): GatewayError {
  const message = 'The store has failed, and has to be opened anew.';
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 });
}
