import type { Socket } from 'node:net';
import { GatewayError } from '../../base/errors/errors.ts';
import type { RequestLogFields } from '../http/request/request-log-fields.ts';
import { errorAnswer } from '../http/response/error-answer.ts';
import { securityHeaders } from '../http/response/security-headers.ts';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  431: 'Request Header Fields Too Large',
};

/** An error of Node's HTTP parser, with the last bytes that it was given if they caused it. */
export interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** The answer to a malformed request, as logged. */
type ClientErrorAnswer = NonNullable<RequestLogFields['clientErrorAnswer']>;

/**
 * Answers input that isn't valid HTTP, for which there is no request object, and closes the connection.
 *
 * @param mayAnswer whether the client would match the answer to this request, and not to an earlier one
 * @param cors headers: names and values alternate
 * @returns the answer sent, if any
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  mayAnswer: boolean,
  cors: readonly string[],
): ClientErrorAnswer | undefined {
  // A request could arrive at the same moment, and its client would take this answer for its own.
  const sentNothing = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (!socket.writable || !mayAnswer || sentNothing || error.code === 'ECONNRESET') {
    socket.destroy();
    return undefined;
  }
  const described = describe(error.code);
  const { status, headers, body: text } = errorAnswer(described);
  // An answer to HEAD has no body. The method is read from the raw bytes, where they are known.
  const isHead = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
  const body = isHead ? '' : text.toString();
  const lines = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    ...Object.entries({ ...securityHeaders, ...headers }).map(([name, value]) => `${name}: ${value}`),
    ...pairs(cors),
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return { error: described.code, status, bytes: Buffer.byteLength(body) };
}

function pairs(headers: readonly string[]): string[] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
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
