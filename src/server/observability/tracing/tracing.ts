import type { TraceRequest } from './request-span.ts';

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
