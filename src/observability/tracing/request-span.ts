import type { IncomingMessage } from 'node:http';
import type { RequestLine } from '../log/request-line.ts';

/** The span of one request. */
export interface RequestSpan {
  /** It, as `traceparent` names it. */
  readonly traceparent: string;
  /** Does work of which every other span becomes a part of this one. */
  run(work: () => void): void;
  end(line: RequestLine): void;
}

/** Begins the span of a request, as a part of the caller's trace, if the request names one. */
export type TraceRequest = (request: IncomingMessage) => RequestSpan;
