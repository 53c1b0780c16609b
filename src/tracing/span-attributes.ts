import type { IncomingMessage } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { splitRequestTarget } from '../http/request-target.ts';
import type { RequestLine } from '../log/request-line.ts';
import type { SpanFacts } from './tracing.ts';

/** Facts under names of the gateway's own. */
export function spanAttributes(facts: SpanFacts): Attributes {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`gateway.${name}`, value]));
}

const routes: readonly (readonly [RegExp, string])[] = [
  [/^(?:\/api)?\/endpoints\/query\/name\/[^/]+\/?$/, '/api/endpoints/query/name/{name}'],
  [/^(?:\/api)?\/endpoints\/query\/[^/]+\/?$/, '/api/endpoints/query/{endpoint}'],
  [/^\/api\/endpoints\/cache\/[^/]+\/?$/, '/api/endpoints/cache/{endpoint}'],
  [/^\/api\/sources\/[^/]+\/rows\/?$/, '/api/sources/{source}/rows'],
  [/^\/(?:graphql|metrics|livez|readyz|health|ready)$/, ''],
];

/** Few names for many paths: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#name */
export function requestSpanName({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): string {
  const { path } = splitRequestTarget(url);
  const route = routes.find(([pattern]) => pattern.test(path));
  return route === undefined ? method : `${method} ${route[1] || path}`;
}

/** A request as OpenTelemetry's conventions name its facts, where they have names for them. */
export function requestAttributes(line: RequestLine): Attributes {
  const { method, path, status, bytes, error, requestId, key, endpoint, cache, rows, engineMs } = line;
  return {
    ...(method !== undefined && { 'http.request.method': method }),
    ...(path !== undefined && { 'url.path': path }),
    'http.response.status_code': status,
    ...(bytes !== undefined && { 'http.response.body.size': bytes }),
    ...(error !== undefined && { 'error.type': error }),
    'gateway.request_id': requestId,
    ...(key !== undefined && { 'gateway.key': key }),
    ...(endpoint !== undefined && { 'gateway.endpoint': endpoint }),
    ...(cache !== undefined && { 'gateway.cache': cache }),
    ...(rows !== undefined && { 'gateway.rows': rows }),
    ...(engineMs !== undefined && { 'gateway.engine_ms': engineMs }),
  };
}
