import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { SamplerName, TraceSettings } from '../../../definitions/settings/trace-environment.ts';
import type { RequestLine } from '../../http/request/request-log.ts';
import type { RequestSpan, SpanFields, Tracing } from './tracing.ts';

/** Adds the gateway's prefix to the names of fields. */
function spanAttributes(fields: SpanFields): Attributes {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`gateway.${name}`, value]));
}

/**
 * The attribute for each field of a log line, by OpenTelemetry's conventions where they define one. Every span has
 * those that are undefined here.
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
  version: 'gateway.version',
  cache: 'gateway.cache',
  class: 'gateway.class',
  rows: 'gateway.rows',
  engineMs: 'gateway.engine_ms',
  traceparent: undefined,
  durationMs: undefined,
  aborted: undefined,
};

/** The attributes of a request's span. */
function requestAttributes(line: RequestLine): Attributes {
  const fields: Readonly<Record<string, string | number | boolean | undefined>> = { ...line };
  return Object.fromEntries(
    Object.entries(attributeNames).flatMap(([field, name]) => {
      const value = fields[field];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** How long sending the last spans may take, in milliseconds. */
const lastSpansMs = 3_000;
/** Minimum time between log lines about failed exports, in milliseconds. */
const minWarningIntervalMs = 60_000;

/**
 * Creates tracing by OpenTelemetry, which exports spans to a collector in batches. The exporter and the resource read
 * their configuration from the environment.
 */
export function openTelemetry({ sampler, ratio, batch }: TraceSettings, log: Log): Tracing {
  logExportErrors(log);
  const provider = new TracerProvider({
    sampler: samplerOf(sampler, ratio),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'endpoint-gateway' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batch })],
  });
  const tracer = provider.getTracer('endpoint-gateway');
  const propagator = new W3CTraceContextPropagator();
  const active = new AsyncLocalStorage<Context>();

  return {
    traceRequest(request, route): RequestSpan {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      // Of low cardinality: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#name
      const name = [request.method, route].filter(Boolean).join(' ');
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        run: (work) => active.run(trace.setSpan(parent, span), work),
        end(line) {
          span.setAttributes(requestAttributes(line));
          if (line.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async span(name, fields, work) {
      const around = active.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.INTERNAL, attributes: spanAttributes(fields) },
        around,
      );
      try {
        const note = (more: typeof fields) => void span.setAttributes(spanAttributes(more));
        return await active.run(trace.setSpan(around, span), () => work(note));
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => {}),
        sleep(lastSpansMs, undefined, { ref: false }),
      ]);
    },
  };
}

/** Error messages can contain values; codes can't. */
function fail(span: Span, error: unknown): void {
  const code = error instanceof GatewayError ? error.code : error instanceof Error ? error.name : 'unknown';
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

function logExportErrors(log: Log): void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    const now = performance.now();
    if (now - warnedAt < minWarningIntervalMs) return;
    warnedAt = now;
    log.warn('traces cannot be exported', { reason: error instanceof Error ? error.message : String(error) });
  });
}

/** Returns the sampler with this name. Parent-based samplers follow the parent, and use the other sampler without one. */
function samplerOf(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}
