import type { ServerResponse } from 'node:http';
import { withoutKeys } from '../../access/key/key-text.ts';
import type { GatewayError } from '../../errors.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import { failureHeaders } from '../../http/failure-headers.ts';
import { securityHeaders } from '../../http/security-headers.ts';
import { sendInPieces } from '../../http/send-in-pieces.ts';
import type { ResponseType } from './accept.ts';

/** Headers of every GraphQL response. */
const graphqlHeaders = { Vary: 'Accept' };

/** The response to the operations of a request. */
export function graphqlAnswer(
  status: number,
  body: string,
  type: ResponseType,
  headers: Answer['headers'] = {},
): Answer {
  return jsonAnswer(status, body, { ...graphqlHeaders, ...headers, 'Content-Type': typeOf(type) });
}

const typeOf = (type: ResponseType) => `${type}; charset=utf-8`;

/** The headers that cached responses have in common: names and values alternate. */
const cachedHeaders: readonly string[] = Object.entries({
  ...graphqlHeaders,
  ...securityHeaders,
  'Cache-Control': 'private, max-age=0',
}).flat();

export interface CachedAnswerParts {
  /** A valid request id, as `requestIdFrom` returns it. */
  readonly requestId: string;
  /** The CORS headers. */
  readonly cors: readonly string[];
  /** The bytes that are the same for all requests. */
  readonly start: Buffer;
  /** The bytes that differ between requests, one character for each. */
  readonly end: string;
  readonly type: ResponseType;
}

/** Sends a cached response and returns the size of its body. Does nothing if the client has disconnected. */
export function sendCachedAnswer(
  response: ServerResponse,
  { requestId, cors, start, end, type }: CachedAnswerParts,
): number {
  if (response.destroyed || response.headersSent) return 0;
  const bytes = start.length + end.length;
  const own = ['Content-Type', typeOf(type), 'Content-Length', String(bytes), 'X-Request-Id', requestId];
  response.writeHead(200, [...own, ...cors, ...cachedHeaders]);
  sendInPieces(response, start, end);
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
