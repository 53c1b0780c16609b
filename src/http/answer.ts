import type { RequestContext } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';
import { pieceBytes, sendInPieces } from './send-in-pieces.ts';

/** An answer that is complete in memory. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent in UTF-8. */
  readonly body: Buffer | string;
  /** The code of the error that it tells, for the log. */
  readonly error?: string;
}

/** Longer bodies are better sent from where they are: copying them costs more than a second piece (measured). */
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

/** Sends the answer, to HEAD without its body. Does nothing when the client is gone or has an answer. */
export function sendAnswer(
  { request, response, requestId, logFields }: RequestContext,
  answer: Answer,
): void {
  if (response.destroyed || response.headersSent) return;
  // Counting and sending a long text would go through it three times.
  const isLong = typeof answer.body === 'string' && answer.body.length > pieceBytes;
  const body = isLong ? Buffer.from(answer.body) : answer.body;
  const length = Buffer.byteLength(body);
  const headers = Object.entries({ ...securityHeaders, ...answer.headers, 'X-Request-Id': requestId }).flat();
  if (answer.status !== 204 && answer.status !== 304) headers.push('Content-Length', String(length));
  response.writeHead(answer.status, headers);
  if (answer.error !== undefined) logFields.error = answer.error;
  logFields.bytes = request.method === 'HEAD' ? 0 : length;
  if (request.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body);
  else if (body.length > onePieceBytes) sendInPieces(response, body);
  // Node sends a text and the headers as one piece, which costs a tenth less than two (measured). Each byte is a
  // character of this encoding, so the bytes stay as they are.
  else response.end(body.toString('latin1'), 'latin1');
}
