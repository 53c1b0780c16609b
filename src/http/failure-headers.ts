import type { GatewayError } from '../errors.ts';

/** The headers that a failure has on every handler, beside those of every answer. */
export function failureHeaders({ code, details }: GatewayError): Readonly<Record<string, string>> {
  const { retryAfterSeconds } = details;
  return {
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
  };
}
