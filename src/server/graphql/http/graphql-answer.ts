import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GatewayError } from '../../../base/errors/errors.ts';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import { gzipLevel, worthCompressing } from '../../http/request/accept.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { type Answer, jsonAnswer } from '../../http/response/answer.ts';
import { failureHeaders } from '../../http/response/error-answer.ts';
import { writeRepeatedHead } from '../../http/response/repeated-head.ts';
import type { Recipient } from '../../http/response/response-head.ts';
import { sendInPieces } from '../../http/response/send-in-pieces.ts';
import { type ResponseType, responseType } from './accept.ts';

/** Headers of every GraphQL response. */
const graphqlHeaders = { Vary: 'Accept, Accept-Encoding' };

/** The response to the operations of a request. */
export function graphqlAnswer(
  status: number,
  body: string | Buffer,
  type: ResponseType,
  headers: Answer['headers'] = {},
): Answer {
  return jsonAnswer(status, body, { ...graphqlHeaders, ...headers, 'Content-Type': typeOf(type) });
}

const typeOf = (type: ResponseType) => `${type}; charset=utf-8`;

const compress = promisify(gzip);

/** The answer compressed, if it is large enough. */
export async function gzipped(answer: Answer): Promise<Answer> {
  if (answer.body.length < worthCompressing) return answer;
  const body = await compress(answer.body, { level: gzipLevel });
  return { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body };
}

/** The headers that cached responses have in common: names and values alternate. */
const cachedHeaders: readonly string[] = Object.entries({
  ...graphqlHeaders,
  'Cache-Control': 'private, max-age=0',
}).flat();

export interface CachedAnswerParts {
  /** The bytes that are the same for all requests. */
  readonly start: Buffer;
  /** The bytes that differ between requests. */
  readonly end: Buffer;
  readonly type: ResponseType;
  readonly isGzip: boolean;
}

/**
 * Sends a cached response and returns the size of its body. Does nothing if the client has disconnected.
 *
 * @param to `now` is in milliseconds since the epoch
 */
export function sendCachedAnswer(
  to: Recipient & { readonly now: number },
  { start, end, type, isGzip }: CachedAnswerParts,
): number {
  const { response, now } = to;
  if (response.destroyed || response.headersSent) return 0;
  const bytes = start.length + end.length;
  const form = String(bytes);
  const headers = () => {
    const own = ['Content-Type', typeOf(type), 'Content-Length', form];
    return [...own, ...(isGzip ? ['Content-Encoding', 'gzip'] : []), ...cachedHeaders];
  };
  sendInPieces(response, () => writeRepeatedHead(to, { of: start, form, now, headers }), start, end);
  return bytes;
}

/** Refuses a request as a whole, in GraphQL's form: https://graphql.github.io/graphql-over-http/draft/ */
export function graphqlRefusal(error: GatewayError, { request }: Pick<RequestContext, 'request'>): Answer {
  const { message, code, details } = error;
  const { retryAfterSeconds: seconds } = details;
  const extensions = { code, ...(seconds !== undefined && { retryAfterSeconds: Math.ceil(seconds) }) };
  const body = JSON.stringify({ errors: [{ message: withoutKeys(message), extensions }] });
  const type = responseType(request.headers.accept);
  return { ...graphqlAnswer(error.status, body, type, failureHeaders(error)), error: code };
}
