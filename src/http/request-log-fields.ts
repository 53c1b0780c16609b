import type { CacheFacts } from '../executor/executor.ts';

/**
 * What becomes of a request, for whoever watches: the log and traces. It is filled by those who learn of it. No value, no key
 * and no query is ever in it.
 */
export interface RequestLogFields {
  /** The name of the caller's key. */
  key?: string;
  /** The names of the endpoints that were called, each once, comma-separated. */
  endpoint?: string;
  /** What became of the call in the cache; of several calls, of the one that took the most work. */
  cache?: CacheFacts['status'];
  /** How many rows were answered. */
  rows?: number;
  /** Milliseconds that the engine worked. */
  engineMs?: number;
  /** Bytes of the answer's body. */
  bytes?: number;
  /** The code of the error that was answered. */
  error?: string;
  /** What its client was told in the place of any answer, because the request was broken off by what is no HTTP. */
  instead?: { readonly error: string; readonly bytes: number; readonly status: number };
}

/** What a call of an endpoint adds. */
interface CallLogFields {
  readonly endpoint: string;
  readonly cache: CacheFacts['status'];
  readonly rows: number;
  readonly engineMs: number;
}

/** By how much work each takes. */
const byWork: readonly CacheFacts['status'][] = ['hit', 'stale', 'off', 'miss'];

/** Notes that an endpoint is called. */
export function noteEndpoint(logFields: RequestLogFields, endpoint: string): void {
  if (logFields.endpoint === undefined) logFields.endpoint = endpoint;
  else if (!logFields.endpoint.split(',').includes(endpoint)) logFields.endpoint += `,${endpoint}`;
}

/** Notes one more call that was answered. A request of GraphQL can make many. */
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
