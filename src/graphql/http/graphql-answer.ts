import type { GatewayError } from '../../errors.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import type { ResponseType } from './accept.ts';

/** Refuses a request as a whole, in GraphQL's form: https://graphql.github.io/graphql-over-http/draft/ */
export function graphqlErrorAnswer(
  error: GatewayError,
  type: ResponseType,
  headers: Answer['headers'] = {},
): Answer {
  const { retryAfterSeconds } = error.details;
  const body = JSON.stringify({ errors: [{ message: error.message, extensions: { code: error.code } }] });
  return jsonAnswer(error.status, body, {
    ...headers,
    'Content-Type': `${type}; charset=utf-8`,
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
  });
}
