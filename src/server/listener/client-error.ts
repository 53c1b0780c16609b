import type { Socket } from 'node:net';
import { GatewayError } from '../../base/errors/errors.ts';
import type { RequestLogFields } from '../http/request/request-log.ts';
import { errorAnswer } from '../http/response/error-answer.ts';
import { type HeadFacts, headText } from '../http/response/response-head.ts';

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
 * @returns the answer sent, if any
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  mayAnswer: boolean,
  facts: HeadFacts,
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
  const length = String(Buffer.byteLength(text));
  const head = headText(facts, status, { ...headers, 'Content-Length': length, Connection: 'close' });
  socket.end(head + body);
  return { error: described.code, status, bytes: Buffer.byteLength(body) };
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
