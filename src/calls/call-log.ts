import type { CacheFacts } from './executor/executor.ts';

/** The fields of a request's log line about its calls. */
export interface CallLogFields {
  /** Comma-separated names of the called endpoints, without duplicates. */
  endpoint?: string;
  /** The cache status of the call; of several, that of the one with the most work. */
  cache?: CacheFacts['status'];
  /** Number of rows in the response. */
  rows?: number;
  /** Engine time in milliseconds. */
  engineMs?: number;
}

/** An answered call. */
interface AnsweredCall {
  readonly endpoint: string;
  readonly cache: CacheFacts['status'];
  readonly rows: number;
  readonly engineMs: number;
}

/** In ascending order of work. */
const byWork: readonly CacheFacts['status'][] = ['hit', 'stale', 'off', 'miss'];

/** Records the name of a called endpoint. */
export function noteEndpoint(logFields: CallLogFields, endpoint: string): void {
  if (logFields.endpoint === undefined) logFields.endpoint = endpoint;
  else if (!logFields.endpoint.split(',').includes(endpoint)) logFields.endpoint += `,${endpoint}`;
}

/** Records an answered call. A GraphQL request can make several. */
export function noteCall(logFields: CallLogFields, { endpoint, cache, rows, engineMs }: AnsweredCall): void {
  noteEndpoint(logFields, endpoint);
  if (logFields.cache === undefined || byWork.indexOf(cache) > byWork.indexOf(logFields.cache))
    logFields.cache = cache;
  logFields.rows = (logFields.rows ?? 0) + rows;
  noteEngine(logFields, engineMs);
}

/** Adds milliseconds of engine time, even of a failed run. */
export function noteEngine(logFields: CallLogFields, engineMs: number): void {
  logFields.engineMs = Math.round(((logFields.engineMs ?? 0) + engineMs) * 100) / 100;
}
