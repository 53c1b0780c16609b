import type { CacheFacts } from '../../../calls/executor/executor.ts';

/** Fields of a request for its log line and trace, filled while it is processed. They never contain values, keys or queries. */
export interface RequestLogFields {
  /** The name of the caller's key. */
  key?: string;
  /** Comma-separated names of the called endpoints, without duplicates. */
  endpoint?: string;
  /** The cache status of the call; of several, that of the one with the most work. */
  cache?: CacheFacts['status'];
  /** Number of rows in the response. */
  rows?: number;
  /** Engine time in milliseconds. */
  engineMs?: number;
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

/** The fields of an endpoint call. */
interface CallLogFields {
  readonly endpoint: string;
  readonly cache: CacheFacts['status'];
  readonly rows: number;
  readonly engineMs: number;
}

/** In ascending order of work. */
const byWork: readonly CacheFacts['status'][] = ['hit', 'stale', 'off', 'miss'];

/** Records the name of a called endpoint. */
export function noteEndpoint(logFields: RequestLogFields, endpoint: string): void {
  if (logFields.endpoint === undefined) logFields.endpoint = endpoint;
  else if (!logFields.endpoint.split(',').includes(endpoint)) logFields.endpoint += `,${endpoint}`;
}

/** Records an answered call. A GraphQL request can make several. */
export function noteCall(
  logFields: RequestLogFields,
  { endpoint, cache, rows, engineMs }: CallLogFields,
): void {
  noteEndpoint(logFields, endpoint);
  if (logFields.cache === undefined || byWork.indexOf(cache) > byWork.indexOf(logFields.cache))
    logFields.cache = cache;
  logFields.rows = (logFields.rows ?? 0) + rows;
  noteEngine(logFields, engineMs);
}

/** Adds milliseconds of engine time, even of a failed run. */
export function noteEngine(logFields: RequestLogFields, engineMs: number): void {
  logFields.engineMs = Math.round(((logFields.engineMs ?? 0) + engineMs) * 100) / 100;
}
