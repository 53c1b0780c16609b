import { GatewayError } from '../base/errors/errors.ts';
import { lowestClass, type QueryClass } from '../definitions/classes/query-class.ts';
import type { Endpoint } from '../definitions/endpoints/endpoint.ts';
import type { CacheFacts } from './executor/executor.ts';
import type { AskedQuery, CallRecord, RunFacts } from './records/call-record.ts';

/** The fields of a request's log line about its calls. */
export interface CallLogFields {
  /** Comma-separated names of the called endpoints, one for each version. */
  endpoint?: string;
  /** The numbers of their versions, in the same order. */
  version?: string;
  /** The same, for metrics. */
  called?: readonly CalledVersion[];
  /** The calls that have ended. */
  records?: readonly CallRecord[];
  /** Records a call that ends after its request, whose client has left. Set when the request has ended. */
  recordLate?: (record: CallRecord) => void;
  /** The cache status of the call; of several, that of the one with the most work. */
  cache?: CacheFacts['status'];
  /** The class of the calls, unless it is `default`; of several, the least urgent one. */
  class?: QueryClass;
  /** Number of rows in the response. */
  rows?: number;
  /** Engine time in milliseconds. */
  engineMs?: number;
}

/** A version of an endpoint that was called. */
export interface CalledVersion extends Pick<Endpoint, 'name' | 'number'> {
  /** Whether clients should not call it any more. */
  readonly isDeprecated: boolean;
}

/** An answered call. */
interface AnsweredCall {
  readonly endpoint: CalledVersion;
  readonly cache: CacheFacts['status'];
  readonly rows: number;
  readonly engineMs: number;
  /** Absent for the answers of a cached response. */
  readonly asked?: AskedQuery;
  readonly run?: RunFacts;
}

/** A call that has failed. */
interface FailedCall extends Pick<AnsweredCall, 'endpoint' | 'engineMs' | 'asked' | 'run'> {
  readonly error: unknown;
  /** Rows that were sent before. */
  readonly rows?: number;
}

/** In ascending order of work. */
const byWork: readonly CacheFacts['status'][] = ['hit', 'stale', 'off', 'miss'];

/** What is recorded of a called endpoint. */
export function calledVersion({ name, number, deprecation }: Endpoint): CalledVersion {
  return { name, number, isDeprecated: deprecation !== undefined };
}

/** Records a called endpoint. */
export function noteEndpoint(logFields: CallLogFields, endpoint: CalledVersion): void {
  const { called = [] } = logFields;
  if (called.some(({ name, number }) => name === endpoint.name && number === endpoint.number)) return;
  const all = [...called, endpoint];
  logFields.called = all;
  logFields.endpoint = all.map(({ name }) => name).join(',');
  logFields.version = all.map(({ number }) => number).join(',');
}

/** Records the class of a call. */
export function noteClass(logFields: CallLogFields, ofClass: QueryClass): void {
  if (ofClass !== 'default') logFields.class = lowestClass(ofClass, logFields.class ?? ofClass);
}

/** Records an answered call. A GraphQL request can make several. */
export function noteCall(logFields: CallLogFields, { endpoint, ...answered }: AnsweredCall): CallRecord {
  const { cache, rows, engineMs } = answered;
  noteEndpoint(logFields, endpoint);
  if (logFields.cache === undefined || byWork.indexOf(cache) > byWork.indexOf(logFields.cache))
    logFields.cache = cache;
  logFields.rows = (logFields.rows ?? 0) + rows;
  noteEngine(logFields, engineMs);
  return noteRecord(logFields, endpoint, answered);
}

/** Records a failed call. */
export function noteFailure(logFields: CallLogFields, failed: FailedCall): void {
  const { endpoint, error, engineMs, asked, run, rows = 0 } = failed;
  if (engineMs > 0) noteEngine(logFields, engineMs);
  // A client that has left gets no error.
  const code = error instanceof GatewayError ? error.code : undefined;
  const known = { ...(asked && { asked }), ...(run && { run }), ...(code && { code }) };
  noteRecord(logFields, endpoint, { rows, engineMs, ...known });
}

function noteRecord(
  logFields: CallLogFields,
  { name: endpoint, number: version }: CalledVersion,
  facts: Omit<CallRecord, 'endpoint' | 'version'>,
): CallRecord {
  const record: CallRecord = { endpoint, version, ...facts };
  if (logFields.recordLate !== undefined) logFields.recordLate(record);
  else logFields.records = [...(logFields.records ?? []), record];
  return record;
}

/** Adds milliseconds of engine time, even of a failed run. */
function noteEngine(logFields: CallLogFields, engineMs: number): void {
  logFields.engineMs = Math.round(((logFields.engineMs ?? 0) + engineMs) * 100) / 100;
}
