import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '../../access/access.ts';
import { queryingCaller } from '../../access/querying-caller.ts';
import { hasBody } from '../read-body.ts';
import type { RequestLogFields } from '../request-log-fields.ts';
import { requestKey } from './request-key.ts';
import type { ResponseCache } from './response-cache.ts';

/**
 * Asked before everything else whether a request can be answered at once, from what is at hand. A body that came
 * together with the head is at hand, too.
 *
 * @param watched gives the id of the request, and takes what is to be known of it
 * @returns whether it was answered; otherwise nothing was done with it
 */
export type Shortcut = (
  request: IncomingMessage,
  response: ServerResponse,
  watched: { readonly requestId: string; readonly logFields: RequestLogFields },
) => boolean;

/** The media type that clients send, in its usual spellings. */
const plainJson = /^application\/json(?:; ?charset=utf-8)?$/i;

/**
 * Answers requests from the response cache, without a look into what they ask. The caller is authenticated as on the long way,
 * which everything out of the ordinary is left to, such as bodies that aren't there yet.
 */
export function responseShortcut(access: Access, responses: ResponseCache): Shortcut {
  return (request, response, watched) => {
    const { method, headers } = request;
    if (headers.host === undefined) return false;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return false;
    if (method === 'POST' ? !hasWholeJson(request) : hasBody(request)) return false;
    const caller = queryingCaller(request, access);
    if (caller === undefined) return false;
    const body: unknown = method === 'POST' ? request.read() : undefined;
    const key = requestKey(request, caller, body instanceof Buffer ? body : undefined);
    const isAnswered = responses.answer(key, request, response, watched);
    if (isAnswered) watched.logFields.key = caller.name;
    else if (body instanceof Buffer) request.unshift(body);
    return isAnswered;
  };
}

/** Whether the body is there, and plainly JSON. */
function hasWholeJson({ headers, readableLength }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return (
    length > 0 &&
    readableLength === length &&
    headers['content-encoding'] === undefined &&
    plainJson.test(headers['content-type'] ?? '')
  );
}
