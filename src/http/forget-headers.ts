import type { IncomingMessage } from 'node:http';

/**
 * Forgets the headers of a request whose answer takes long, but for those that are still read: the credentials and the trace.
 * Node keeps them in three forms, which take kilobytes.
 */
export function forgetHeaders(request: IncomingMessage): void {
  const { authorization, 'x-api-key': key } = request.headersDistinct;
  const { traceparent } = request.headers;
  request.headersDistinct = { ...(authorization && { authorization }), ...(key && { 'x-api-key': key }) };
  request.headers = { ...(traceparent !== undefined && { traceparent }) };
  request.rawHeaders = [];
}
