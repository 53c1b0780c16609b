import { GatewayError } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import type { RequestContext } from '../request/request-context.ts';
import { shownPath } from '../request/request-target.ts';
import { type Answer, jsonAnswer } from './answer.ts';

/**
 * Returns the answer to a failed request: `{"error": "<text>", "code": "<code>"}` with the status of the error, and the
 * `parameter` and `location` that are wrong, where they are known.
 */
export function errorAnswer(error: GatewayError): Answer {
  const { parameter, location } = error.details;
  const body = JSON.stringify({
    error: withoutKeys(error.message),
    code: error.code,
    ...(parameter !== undefined && { parameter: withoutKeys(parameter) }),
    ...(location !== undefined && { location: { line: location.line, column: location.column } }),
  });
  return {
    ...jsonAnswer(error.status, body, failureHeaders(error)),
    error: error.code,
  };
}

/**
 * Returns the error to show to a caller: a `GatewayError` itself; for anything else, which is a defect, a text without
 * internals, while the log gets all details.
 */
export function disclose(thrown: unknown, context: RequestContext, log: Log): GatewayError {
  const error = thrown instanceof GatewayError ? thrown : unexpected(thrown, context, log);
  context.logFields.error = error.code;
  return error;
}

function unexpected(thrown: unknown, { request, path, requestId }: RequestContext, log: Log): GatewayError {
  log.error('a request failed unexpectedly', {
    method: request.method ?? '',
    path: shownPath(path),
    requestId,
    cause: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  });
  return new GatewayError('INTERNAL_SERVER_ERROR', "Internal error. See the gateway's log.");
}

/** The headers of a failed request, in addition to those of every response. */
export function failureHeaders({ code, details }: GatewayError): Readonly<Record<string, string>> {
  const { retryAfterSeconds, allowedMethods } = details;
  return {
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer' }),
    ...(allowedMethods !== undefined && { Allow: allowedMethods }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
  };
}
