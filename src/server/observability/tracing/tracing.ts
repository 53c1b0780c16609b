import type { IncomingMessage } from 'node:http';
import type { RequestLine } from '../../http/request/request-log.ts';

/** Attributes of a span. They never contain values, keys or queries. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

/** Creates the spans of traces. */
export interface Tracing {
  readonly traceRequest: TraceRequest;
  /**
   * Runs work in a span, as a child of the current one. If the work fails, so does the span.
   *
   * @param work may add attributes to the span with `note`
   */
  span<T>(
    name: string,
    fields: SpanFields,
    work: (note: (fields: SpanFields) => void) => Promise<T>,
  ): Promise<T>;
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>;
}

/** The span of one request. */
export interface RequestSpan {
  /** The span's `traceparent`. */
  readonly traceparent: string;
  /** Runs work whose spans become children of this one. */
  run(work: () => void): void;
  end(line: RequestLine): void;
}

/**
 * Starts the span of a request, as part of the caller's trace if the request names one.
 *
 * @param route the path as OpenAPI writes it; undefined if there is no such route
 */
export type TraceRequest = (request: IncomingMessage, route: string | undefined) => RequestSpan;
