import type { RequestContext } from '../request/request-context.ts';
import { writeHead } from './response-head.ts';
import { sendInPieces } from './send-in-pieces.ts';

/** A complete answer in memory. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts are sent in UTF-8. */
  readonly body: Buffer | string;
  /** The error's code, for the log. */
  readonly error?: string;
}

/** Bodies up to this size are sent together with the headers. Copying longer ones costs more than a second write (measured). */
const onePieceBytes = 4_096;

/** An answer with a JSON text as its body. */
export function jsonAnswer(status: number, body: string | Buffer, headers: Answer['headers'] = {}): Answer {
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'private, max-age=0',
      ...headers,
    },
    body,
  };
}

/** An answer of status 204, which has no body. */
export function emptyAnswer(headers: Answer['headers']): Answer {
  return { status: 204, headers, body: '' };
}

/**
 * Sends an answer, without a body to HEAD. Does nothing if the client is gone or was already answered.
 *
 * @throws GatewayError as `sendInPieces` does, before anything is sent
 */
export function sendAnswer(
  context: Pick<RequestContext, 'request' | 'response' | 'requestId' | 'cors' | 'logFields'>,
  answer: Answer,
): void {
  const { request, response, logFields } = context;
  if (response.destroyed || response.headersSent) return;
  // Otherwise a long text would be traversed three times.
  const isLong = typeof answer.body === 'string' && answer.body.length > onePieceBytes;
  const body = isLong ? Buffer.from(answer.body) : answer.body;
  const length = Buffer.byteLength(body);
  const hasLength = answer.status !== 204 && answer.status !== 304;
  const headers = hasLength ? { ...answer.headers, 'Content-Length': String(length) } : answer.headers;
  const isInPieces = typeof body !== 'string' && body.length > onePieceBytes && request.method !== 'HEAD';
  const begin = () => writeHead(context, answer.status, headers);
  if (isInPieces) sendInPieces(response, begin, body);
  else begin();
  if (answer.error !== undefined) logFields.error = answer.error;
  logFields.bytes = request.method === 'HEAD' ? 0 : length;
  if (isInPieces) return;
  if (request.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body);
  // Node sends a text together with the headers, which costs a tenth less than two writes (measured). In latin1, each
  // byte is one character, so that the bytes are preserved.
  else response.end(body.toString('latin1'), 'latin1');
}
