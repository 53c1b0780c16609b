import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '../../../calls/access/authentication/access.ts';
import { queryingCaller } from '../../../calls/access/authentication/access.ts';
import { hasBody } from '../body/read-body.ts';
import { noteCaller } from '../request/connection-account.ts';
import type { ResponseCache, WatchedFields } from './response-cache.ts';
import { requestKey } from './response-cache.ts';

/**
 * Tries to answer a request at once from the response cache, before any other processing. A body that arrived with the
 * head counts.
 *
 * @returns whether the request was answered; otherwise it is unchanged
 */
export type Shortcut = (
  request: IncomingMessage,
  response: ServerResponse,
  watched: WatchedFields,
) => boolean;

/** The usual spellings of JSON's media type. */
const plainJson = /^application\/json(?:; ?charset=utf-8)?$/i;

/**
 * Answers requests from the response cache, without parsing their content. Callers are authenticated as for any other
 * request. Unusual requests, such as those with incomplete bodies, are not answered here.
 */
export function responseShortcut(access: Access, responses: ResponseCache): Shortcut {
  return (request, response, watched) => {
    const { method, headers } = request;
    if (headers.host === undefined) return false;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return false;
    if (method === 'POST' ? !hasWholeJson(request) : hasBody(request)) return false;
    const caller = queryingCaller(request, access);
    if (caller === undefined) return false;
    noteCaller(request.socket, caller);
    const body: unknown = method === 'POST' ? request.read() : undefined;
    const key = requestKey(request, caller, body instanceof Buffer ? body : undefined);
    const isAnswered = responses.answer(key, caller, request, response, watched);
    if (isAnswered) Object.assign(watched.logFields, { key: caller.name, caller });
    else if (body instanceof Buffer) request.unshift(body);
    return isAnswered;
  };
}

/** Whether the body has completely arrived and is plain JSON. */
function hasWholeJson({ headers, readableLength }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return (
    length > 0 &&
    readableLength === length &&
    headers['content-encoding'] === undefined &&
    plainJson.test(headers['content-type'] ?? '')
  );
}
