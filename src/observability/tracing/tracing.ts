import type { TraceRequest } from './request-span.ts';

/** What a span says. No value, key or query is ever in it. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** Makes spans, the parts of traces. */
export interface Tracing {
  readonly traceRequest: TraceRequest;
  /**
   * Does work in a span, which is part of the one that it is begun in. When the work fails, so does the span.
   *
   * @param work may note more in the span while it goes on
   */
  span<T>(
    name: string,
    logFields: SpanFacts,
    work: (note: (logFields: SpanFacts) => void) => Promise<T>,
  ): Promise<T>;
  /** Sends what isn't sent yet, for a while. */
  close(): Promise<void>;
}
