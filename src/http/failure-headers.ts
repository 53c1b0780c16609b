import type { GatewayError } from '../errors.ts';

/** The headers of a failed request, in addition to those of every response. */
export function failureHeaders({ code, details }: GatewayError): Readonly<Record<string, string>> {
  const { retryAfterSeconds } = details;
  return {
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
  };
}
