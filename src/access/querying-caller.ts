import type { IncomingMessage } from 'node:http';
import type { Access } from './access.ts';
import type { Caller } from './caller.ts';

/**
 * Who is calling, if the request's key surely allows queries, as many as he likes, by what is at hand: `headersDistinct` would be made for this. Of
 * several `Authorization` headers Node's joined ones hold the first only, so one of another scheme is a no here, and so is a
 * key whose requests are counted.
 */
export function queryingCaller(request: IncomingMessage, access: Access): Caller | undefined {
  const caller = callerByHeaders(request, access);
  return caller?.scopes.has('query') && caller.rate === undefined ? caller : undefined;
}

/** Who is calling, by the headers of his key that are at hand. */
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
    // The long way meets the same, and says so.
    return undefined;
  }
}
