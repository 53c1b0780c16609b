import type { IncomingMessage } from 'node:http';

/**
 * Drops the headers of a request with a long-lived response. Only the credentials and the trace stay, because they are read
 * again. Node keeps headers in three forms, which take kilobytes.
 */
export function forgetHeaders(request: IncomingMessage): void {
  const { authorization, 'x-api-key': key } = request.headersDistinct;
  const { traceparent } = request.headers;
  request.headersDistinct = { ...(authorization && { authorization }), ...(key && { 'x-api-key': key }) };
  request.headers = { ...(traceparent !== undefined && { traceparent }) };
  request.rawHeaders = [];
}
