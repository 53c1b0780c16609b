import type { IncomingMessage } from 'node:http';

/**
 * Drops the headers of a request with a long-lived response. Only the trace stays, because it is read again. Node keeps headers in
 * three forms, which take kilobytes.
 */
export function forgetHeaders(request: IncomingMessage): void {
  const { traceparent } = request.headers;
  request.headersDistinct = {};
  request.headers = { ...(traceparent !== undefined && { traceparent }) };
  request.rawHeaders = [];
}
