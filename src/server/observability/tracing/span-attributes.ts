import type { IncomingMessage } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { splitRequestTarget } from '../../http/request/request-target.ts';
import type { RequestLine } from '../log/request-line.ts';
import type { SpanFields } from './tracing.ts';

/** Adds the gateway's prefix to the names of fields. */
export function spanAttributes(fields: SpanFields): Attributes {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`gateway.${name}`, value]));
}

const routes: readonly (readonly [RegExp, string])[] = [
  [/^(?:\/api)?\/endpoints\/query\/name\/[^/]+\/?$/, '/api/endpoints/query/name/{name}'],
  [/^(?:\/api)?\/endpoints\/query\/[^/]+\/?$/, '/api/endpoints/query/{endpoint}'],
  [/^\/api\/endpoints\/cache\/[^/]+\/?$/, '/api/endpoints/cache/{endpoint}'],
  [/^\/api\/sources\/[^/]+\/rows\/?$/, '/api/sources/{source}/rows'],
  [/^\/api\/endpoints\/[^/]+\/?$/, '/api/endpoints/{endpoint}'],
  [/^\/api\/endpoints\/?$/, '/api/endpoints'],
  [/^\/api\/openapi\.json$/, ''],
  [/^(?:\/api\/logs|\/logs|\/api\/events)(?:\/(?:json|vector|cloudflare))?$/, '/api/logs'],
  [/^\/v1\/logs$/, ''],
  [/^\/(?:graphql|mcp|metrics|livez|readyz|health|ready)$/, ''],
];

/** The name of a request's span, of low cardinality: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#name */
export function requestSpanName({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): string {
  const { path } = splitRequestTarget(url);
  const route = routes.find(([pattern]) => pattern.test(path));
  return route === undefined ? method : `${method} ${route[1] || path}`;
}

/**
 * The attribute for each field of a log line, by OpenTelemetry's conventions where they define one. Spans have the
 * undefined ones already.
 */
const attributeNames: Readonly<Record<keyof RequestLine, string | undefined>> = {
  method: 'http.request.method',
  path: 'url.path',
  status: 'http.response.status_code',
  bytes: 'http.response.body.size',
  error: 'error.type',
  requestId: 'gateway.request_id',
  key: 'gateway.key',
  endpoint: 'gateway.endpoint',
  cache: 'gateway.cache',
  rows: 'gateway.rows',
  engineMs: 'gateway.engine_ms',
  traceparent: undefined,
  durationMs: undefined,
  aborted: undefined,
};

/** The attributes of a request's span. */
export function requestAttributes(line: RequestLine): Attributes {
  const fields: Readonly<Record<string, string | number | boolean | undefined>> = { ...line };
  return Object.fromEntries(
    Object.entries(attributeNames).flatMap(([field, name]) => {
      const value = fields[field];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}
