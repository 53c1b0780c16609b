import type { IncomingMessage } from 'node:http';
import type { Access } from './authentication/access.ts';
import type { Caller } from './caller/caller.ts';

/**
 * Returns the caller, if its key certainly allows any number of queries. Uses `headers`, because `headersDistinct`
 * would cost too much. If there are several `Authorization` headers, Node's `headers` contain only the first.
 * Therefore, another scheme returns undefined, and so does a key with a rate limit, or a token of such a key.
 */
export function queryingCaller(request: IncomingMessage, access: Access): Caller | undefined {
  const caller = callerByHeaders(request, access);
  if (caller === undefined || caller.rate !== undefined || caller.issuer?.rate !== undefined)
    return undefined;
  return caller.scopes.has('query') ? caller : undefined;
}

/** Returns the caller by the joined headers. */
export function callerByHeaders({ headers }: IncomingMessage, access: Access): Caller | undefined {
  const { authorization, 'x-api-key': key } = headers;
  try {
    if (authorization !== undefined) {
      return authorization.startsWith('Bearer ')
        ? access.authenticate({ authorization: [authorization] })
        : undefined;
    }
    return typeof key === 'string' ? access.authenticate({ 'x-api-key': [key] }) : undefined;
  } catch {
    // The regular authentication meets the same failure and reports it.
    return undefined;
  }
}
