import type { Caller } from '../../../calls/access/caller/caller.ts';
import type { CallLogFields } from '../../../calls/call-log.ts';
import type { Change } from '../../../calls/records/change-records.ts';

/** Fields of a request for its log line and trace, filled while it is processed. They never contain values, keys or queries. */
export interface RequestLogFields extends CallLogFields {
  /** The name of the caller's key. */
  key?: string;
  caller?: Caller;
  /** What the request has changed, if it succeeds. */
  changes?: readonly Change[];
  /** Size of the response body in bytes. */
  bytes?: number;
  /** The error's code. */
  error?: string;
  /** Whether the response is a stream of events. Its duration says nothing about speed. */
  isStream?: boolean;
  /** Whether another log line covers the request, so that it has none of its own. */
  isSummarised?: boolean;
  /** Error response sent when the input stops being valid HTTP. */
  clientErrorAnswer?: { readonly error: string; readonly bytes: number; readonly status: number };
}

/** The log line of a request. It contains no values, keys or queries: the path has no query string. */
export interface RequestLine
  extends Readonly<
    Omit<
      RequestLogFields,
      | 'clientErrorAnswer'
      | 'isSummarised'
      | 'isStream'
      | 'called'
      | 'records'
      | 'recordLate'
      | 'caller'
      | 'changes'
    >
  > {
  readonly requestId: string;
  /** The `traceparent` of W3C's Trace Context: of the request's own span if it is traced, otherwise the caller's, if valid. */
  readonly traceparent?: string | undefined;
  /** Absent if the request was not valid HTTP. */
  readonly method?: string | undefined;
  /** Still percent-encoded. */
  readonly path?: string;
  /** The status sent, or 499 if the client left before. */
  readonly status: number;
  /** Milliseconds from the arrival of the head until the answer was sent or the client had left. */
  readonly durationMs: number;
  /** Whether the client left before the answer was completely sent. */
  readonly aborted?: true | undefined;
}

/** Logs a request. */
export type LogRequest = (line: RequestLine) => void;
