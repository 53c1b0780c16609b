import type { CallLogFields } from '../../../calls/call-log.ts';

/** Fields of a request for its log line and trace, filled while it is processed. They never contain values, keys or queries. */
export interface RequestLogFields extends CallLogFields {
  /** The name of the caller's key. */
  key?: string;
  /** Size of the response body in bytes. */
  bytes?: number;
  /** The error's code. */
  error?: string;
  /** Whether the response is a stream of events. Its duration says nothing about speed. */
  isStream?: boolean;
  /** Whether the log tells of the request in another line, so that it has none of its own. */
  isSummarised?: boolean;
  /** Error response sent when the input stops being valid HTTP. */
  clientErrorAnswer?: { readonly error: string; readonly bytes: number; readonly status: number };
}
