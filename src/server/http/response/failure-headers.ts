import type { GatewayError } from '../../../base/errors/errors.ts';

/** The headers of a failed request, in addition to those of every response. */
export function failureHeaders({ code, details }: GatewayError): Readonly<Record<string, string>> {
  const { retryAfterSeconds, allowedMethods } = details;
  return {
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer' }),
    ...(allowedMethods !== undefined && { Allow: allowedMethods }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
  };
}
