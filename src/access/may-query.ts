import type { IncomingMessage } from 'node:http';
import type { Access, Caller } from './access.ts';

/**
 * Whether the request's key surely allows queries, by what is at hand: `headersDistinct` would be made for this. Of several
 * `Authorization` headers Node's joined ones hold the first only, so one of another scheme is a no here.
 */
export function mayQuery(request: IncomingMessage, access: Access): boolean {
  return callerOf(request, access)?.scopes.has('query') === true;
}

function callerOf({ headers }: IncomingMessage, access: Access): Caller | undefined {
  const { authorization, 'x-api-key': key } = headers;
  if (authorization !== undefined) {
    return authorization.startsWith('Bearer ')
      ? access.authenticate({ authorization: [authorization] })
      : undefined;
  }
  return typeof key === 'string' ? access.authenticate({ 'x-api-key': [key] }) : undefined;
}
