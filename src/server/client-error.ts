import type { Socket } from 'node:net';
import { GatewayError } from '../errors.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { RequestLogFields } from '../http/request-log-fields.ts';
import { securityHeaders } from '../http/security-headers.ts';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  431: 'Request Header Fields Too Large',
};

/** What Node's parser says of what isn't HTTP, with the bytes that it was given last, where they are to blame. */
export interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** What was answered, as the log tells it. */
type ToldInstead = NonNullable<RequestLogFields['instead']>;

/**
 * Answers what isn't HTTP, for which there is no request object, and closes the connection. `mayAnswer`
 * says whether the client would take the answer for one to this request, and not to an earlier one.
 *
 * @returns what was answered; undefined where nothing was
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  mayAnswer: boolean,
): ToldInstead | undefined {
  // A request that comes while its client is told that none came would be taken for the one that is answered.
  const saidNothing = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (!socket.writable || !mayAnswer || saidNothing || error.code === 'ECONNRESET') {
    socket.destroy();
    return undefined;
  }
  const told = describe(error.code);
  const { status, headers, body: text } = errorAnswer(told);
  // The answer to a HEAD ends with its headers, as far as can be told that it is one.
  const isHead = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
  const body = isHead ? '' : text.toString();
  const lines = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    ...Object.entries({ ...securityHeaders, ...headers }).map(([name, value]) => `${name}: ${value}`),
    'Access-Control-Allow-Origin: *',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return { error: told.code, status, bytes: Buffer.byteLength(body) };
}

function describe(code: string | undefined): GatewayError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError('REQUEST_HEADERS_TOO_LARGE', 'The request line and headers are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GatewayError('BAD_USER_INPUT', 'The request did not arrive in time.');
    default:
      return new GatewayError('BAD_USER_INPUT', 'The request is not valid HTTP.');
  }
}
