import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../base/errors/errors.ts';

/** Maximum number of headers of a request. */
const maxHeaders = 200;

const tooManyHeaders = new GatewayError(
  'REQUEST_HEADERS_TOO_LARGE',
  `A request can have at most ${maxHeaders} headers.`,
);
const noHost = new GatewayError('BAD_USER_INPUT', 'The request has no Host header.');
const severalHosts = new GatewayError('BAD_USER_INPUT', 'The request has more than one Host header.');

/** The error for a malformed request that Node's parser accepts. */
export function malformedRequest({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): GatewayError | undefined {
  if (rawHeaders.length > 2 * maxHeaders) return tooManyHeaders;
  // Source: RFC 9112, section 3.2.
  if (headers.host === undefined) return httpVersion === '1.1' ? noHost : undefined;
  return hasSeveralHosts(rawHeaders) ? severalHosts : undefined;
}

/** @param rawHeaders names and values, alternating */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
