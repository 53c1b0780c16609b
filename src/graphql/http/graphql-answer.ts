import type { ServerResponse } from 'node:http';
import { withoutKeys } from '../../access/key/key-text.ts';
import type { GatewayError } from '../../errors.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import { corsHeaders } from '../../http/cors.ts';
import { failureHeaders } from '../../http/failure-headers.ts';
import { headerLines, writeHeadLines } from '../../http/write-head-lines.ts';
import type { ResponseType } from './accept.ts';
import type { ReadyBody } from './ready-answers.ts';

/** What every answer to an operation says. */
const graphqlHeaders = { ...corsHeaders, Vary: 'Accept' };
const notReused = 'private, max-age=0';

/** The answer to the operations of a request. */
export function graphqlAnswer(
  status: number,
  body: string,
  type: ResponseType,
  headers: Answer['headers'] = {},
): Answer {
  return jsonAnswer(status, body, { ...graphqlHeaders, ...headers, 'Content-Type': typeOf(type) });
}

const typeOf = (type: ResponseType) => `${type}; charset=utf-8`;

/** The lines of headers that every ready answer of a type has. */
const readyLines = (type: ResponseType) =>
  headerLines({
    'Content-Type': typeOf(type),
    'Cache-Control': notReused,
    ...graphqlHeaders,
  });
const readyHeaderLines: Readonly<Record<ResponseType, string>> = {
  'application/json': readyLines('application/json'),
  'application/graphql-response+json': readyLines('application/graphql-response+json'),
};

/**
 * Sends a ready answer, and gives how many bytes its body has. Does nothing when the client is gone.
 *
 * @param requestId an id as `requestIdFrom` lets through
 */
export function sendReadyAnswer(
  response: ServerResponse,
  requestId: string,
  { start, end }: ReadyBody,
  type: ResponseType,
): number {
  if (response.destroyed || response.headersSent) return 0;
  const lines = `${readyHeaderLines[type]}X-Request-Id: ${requestId}\r\n`;
  const bytes = start.length + end.length;
  writeHeadLines(response, lines, bytes);
  response.write(start);
  response.end(end, 'latin1');
  return bytes;
}

/** Refuses a request as a whole, in GraphQL's form: https://graphql.github.io/graphql-over-http/draft/ */
export function graphqlErrorAnswer(
  error: GatewayError,
  type: ResponseType,
  headers: Answer['headers'] = {},
): Answer {
  const { message, code, details } = error;
  const { retryAfterSeconds: seconds } = details;
  const extensions = { code, ...(seconds !== undefined && { retryAfterSeconds: Math.ceil(seconds) }) };
  const body = JSON.stringify({ errors: [{ message: withoutKeys(message), extensions }] });
  const allHeaders = {
    ...graphqlHeaders,
    ...headers,
    'Content-Type': typeOf(type),
    ...failureHeaders(error),
  };
  return { ...jsonAnswer(error.status, body, allHeaders), error: error.code };
}
