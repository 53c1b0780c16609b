import type { IncomingMessage } from 'node:http';

const bearer = 'Bearer ';

/**
 * The key that a request's headers present. The first credential there is the only one tried: `Authorization` with exactly this
 * scheme, then `X-API-KEY`; of a header that is repeated, the first. Source: contract section (b).
 */
export function presentedKey(headers: IncomingMessage['headersDistinct']): string | undefined {
  const authorization = headers.authorization?.find((value) => value.startsWith(bearer));
  return authorization?.slice(bearer.length) ?? headers['x-api-key']?.[0];
}
