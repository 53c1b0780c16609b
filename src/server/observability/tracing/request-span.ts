import type { IncomingMessage } from 'node:http';
import type { RequestLine } from '../log/request-line.ts';

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
