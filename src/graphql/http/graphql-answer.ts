import type { GatewayError } from '../../errors.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import { corsHeaders } from '../../http/cors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ResponseType } from './accept.ts';
import type { ReadyBody } from './ready-answers.ts';

/** What every answer to an operation says. */
export const graphqlHeaders = { ...corsHeaders, Vary: 'Accept' };

/** The answer to an operation that ran. */
export function graphqlAnswer(body: Answer['body'], type: ResponseType): Answer {
  return jsonAnswer(200, body, { ...graphqlHeaders, 'Content-Type': `${type}; charset=utf-8` });
}

/** The headers of an answer to an operation that ran, but for those of its own. Names and values by turns. */
const readyHeaders = [
  ...Object.entries(graphqlHeaders).flat(),
  'Cache-Control',
  'private, max-age=0',
  'X-Content-Type-Options',
  'nosniff',
];

/** Sends a ready answer. Does nothing when the client is gone. */
export function sendReadyAnswer(
  { response, requestId }: Exchange,
  { start, end }: ReadyBody,
  type: ResponseType,
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(200, [
    ...readyHeaders,
    'Content-Type',
    `${type}; charset=utf-8`,
    'Content-Length',
    String(start.length + end.length),
    'X-Request-Id',
    requestId,
  ]);
  response.write(start);
  response.end(end, 'latin1');
}

/** Refuses a request as a whole, in GraphQL's form: https://graphql.github.io/graphql-over-http/draft/ */
export function graphqlErrorAnswer(
  error: GatewayError,
  type: ResponseType,
  headers: Answer['headers'] = {},
): Answer {
  const { retryAfterSeconds } = error.details;
  const body = JSON.stringify({ errors: [{ message: error.message, extensions: { code: error.code } }] });
  return jsonAnswer(error.status, body, {
    ...graphqlHeaders,
    ...headers,
    'Content-Type': `${type}; charset=utf-8`,
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
  });
}
