import type { IncomingMessage } from 'node:http';

const bearer = 'Bearer ';

/**
 * The key in a request's headers. Only the first credential is tried: `Authorization` with exactly this scheme, then
 * `X-API-KEY`; for a repeated header, its first value.
 */
export function presentedKey(headers: IncomingMessage['headersDistinct']): string | undefined {
  const authorization = headers.authorization?.find((value) => value.startsWith(bearer));
  return authorization?.slice(bearer.length) ?? headers['x-api-key']?.[0];
}
