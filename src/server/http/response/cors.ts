import type { IncomingMessage } from 'node:http';

/** Response headers that pages of other origins may read, besides those that every page may. */
const exposed = [
  'X-Request-Id',
  'Link',
  'X-Result-Truncated',
  'X-Ignored-Parameters',
  'X-Bytes-Processed',
  'X-Bytes-Billed',
  'Server-Timing',
  'Content-Disposition',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'ETag',
  'Age',
  'Allow',
  'Cache-Status',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
].join(', ');

/** Request headers that pages of other origins may send: those of the gateway, and those of usual clients. */
const allowed = [
  'Accept',
  'Authorization',
  'Cache-Control',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'If-None-Match',
  'X-API-Key',
  'X-Request-Id',
  'X-Requested-With',
  'X-Source',
  'X-Collection',
  'Idempotency-Key',
  'Priority',
  'LF-ENDPOINT-LABELS',
  'LF-ENDPOINT-REDACT-PII',
  'LF-ENDPOINT-BIGQUERY-RESERVATION',
  'LF-ENDPOINT-MAX-SCAN-BYTES',
  'LF-Endpoint-Version',
  'traceparent',
  'tracestate',
  'baggage',
  'Apollo-Require-Preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'graphql-client-name',
  'graphql-client-version',
  'X-Apollo-Operation-Name',
  'X-Apollo-Operation-Id',
  'GraphQL-Require-Preflight',
  'MCP-Protocol-Version',
  'MCP-Session-Id',
  'Last-Event-ID',
].join(', ');

const usualMethods = ['GET', 'POST', 'OPTIONS'];
const otherMethods = ['HEAD', 'DELETE'];

/**
 * Headers of preflight responses, besides those of every response.
 *
 * @param requested the method that the page wants to use
 */
export function preflightHeaders(requested = ''): Readonly<Record<string, string>> {
  const methods = otherMethods.includes(requested) ? [...usualMethods, requested] : usualMethods;
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': allowed,
    'Access-Control-Max-Age': '1728000',
  };
}

/** Whether a browser asks if it may send a request: https://fetch.spec.whatwg.org/#cors-preflight-request */
export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Decides which pages of other origins may read responses: https://fetch.spec.whatwg.org/#http-cors-protocol */
export interface CorsPolicy {
  /** The headers of every response to a request with this `Origin`. Names and values alternate. */
  headers(origin: string | undefined): readonly string[];
}

/** @param origins as browsers send them, or `*` for any */
export function corsPolicy(origins: readonly string[]): CorsPolicy {
  // Any page may read, but browsers send it no credentials of their own.
  const forAny = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', exposed];
  if (origins.includes('*')) return { headers: () => forAny };
  const forOthers = ['Vary', 'Origin'];
  const byOrigin = new Map(
    origins.map((origin) => [
      origin,
      [
        ...['Access-Control-Allow-Origin', origin],
        ...['Access-Control-Allow-Credentials', 'true'],
        ...['Access-Control-Expose-Headers', exposed],
        ...forOthers,
      ],
    ]),
  );
  return {
    headers: (origin) => (origin === undefined ? forOthers : (byOrigin.get(origin) ?? forOthers)),
  };
}
