import type { IncomingMessage } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { splitRequestTarget } from '../../http/request-target.ts';
import type { RequestLine } from '../log/request-line.ts';
import type { SpanFacts } from './tracing.ts';

/** Facts under names of the gateway's own. */
export function spanAttributes(logFields: SpanFacts): Attributes {
  return Object.fromEntries(Object.entries(logFields).map(([name, value]) => [`gateway.${name}`, value]));
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

/**
 * What a span calls each fact of a line of the log: by OpenTelemetry's conventions, where they have a name for it. The span says the
 * others by itself.
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

/** A request's logFields as a span has them. */
export function requestAttributes(line: RequestLine): Attributes {
  const logFields: Readonly<Record<string, string | number | boolean | undefined>> = { ...line };
  return Object.fromEntries(
    Object.entries(attributeNames).flatMap(([fact, name]) => {
      const value = logFields[fact];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}
