import type { Attributes } from '@opentelemetry/api';
import type { RequestLine } from '../log/request-line.ts';
import type { SpanFields } from './tracing.ts';

/** Adds the gateway's prefix to the names of fields. */
export function spanAttributes(fields: SpanFields): Attributes {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`gateway.${name}`, value]));
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
