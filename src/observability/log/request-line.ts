import type { RequestLogFields } from '../../http/request-log-fields.ts';

/** One request, as the log tells of it. No value, key or query is in it: the path is told without what follows its `?`. */
export interface RequestLine extends Readonly<Omit<RequestLogFields, 'instead'>> {
  readonly requestId: string;
  /** Of W3C's Trace Context, valid: of this request's own span where it is traced, or as the caller sent it. */
  readonly traceparent?: string | undefined;
  /** What wasn't HTTP has neither method nor path. */
  readonly method?: string | undefined;
  /** Still percent-encoded. */
  readonly path?: string;
  /** The status that was sent; 499 when the client left before one was. */
  readonly status: number;
  /** Milliseconds from the arrival of the head until the answer was sent, or the client had left. */
  readonly durationMs: number;
  /** Whether the client left before the answer was sent to its end. */
  readonly aborted?: true | undefined;
}

/** Tells the log of a request. */
export type LogRequest = (line: RequestLine) => void;
