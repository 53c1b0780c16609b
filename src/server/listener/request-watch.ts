import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CalledVersion } from '../../calls/call-log.ts';
import type { CallRecord } from '../../calls/records/call-record.ts';
import type { CallRecords } from '../../calls/records/call-records.ts';
import type { ChangeRecords } from '../../calls/records/change-records.ts';
import type { ApiName } from '../http/request/api-name.ts';
import { requestIdFrom, traceparentFrom } from '../http/request/request-id.ts';
import type { LogRequest, RequestLine, RequestLogFields } from '../http/request/request-log.ts';
import { shownPath, splitRequestTarget } from '../http/request/request-target.ts';
import type { CorsPolicy } from '../http/response/cors.ts';
import type { RequestMeter } from '../observability/metrics/request-metrics.ts';
import type { RequestSpan, TraceRequest } from '../observability/tracing/tracing.ts';
import type { RouteTable } from '../routing/route-table.ts';

/** Where calls and changes are recorded. */
export interface RequestRecords {
  readonly calls: Pick<CallRecords, 'record'>;
  readonly changes: Pick<ChangeRecords, 'record'>;
}

export interface RequestWatchOptions {
  readonly table: RouteTable;
  readonly makeRequestId: () => string;
  readonly cors: CorsPolicy;
  /** Called with each request when it ends. */
  readonly logRequest: LogRequest | undefined;
  /** Records the calls of requests, and what these have changed. Absent if nothing is recorded. */
  readonly records?: RequestRecords | undefined;
  /** Counts requests when they end. */
  readonly requestMeter: RequestMeter;
  /** Traces requests. */
  readonly traceRequest: TraceRequest | undefined;
}

/** The logged status of a request whose client left before the answer, as in nginx. */
const clientLeft = 499;

/** One request, from its arrival to its end. */
export class WatchedRequest {
  /** Filled while the request is processed. */
  readonly logFields: RequestLogFields = {};
  /** The API that the request counts for, if its answer was cached. */
  api: ApiName | undefined;
  readonly #options: RequestWatchOptions;
  readonly #request: IncomingMessage;
  readonly #began = performance.now();
  readonly #span: RequestSpan | undefined;
  #requestId: string | undefined;
  #place: ReturnType<RouteTable['at']> | undefined;

  constructor(request: IncomingMessage, options: RequestWatchOptions) {
    this.#request = request;
    this.#options = options;
    this.#span = options.traceRequest?.(request, this.place.path);
  }

  /** The routes of its path. */
  get place(): ReturnType<RouteTable['at']> {
    this.#place ??= this.#options.table.at(splitRequestTarget(this.#request.url ?? '').path);
    return this.#place;
  }

  /** The request id: the caller's own, or a generated one. */
  get requestId(): string {
    this.#requestId ??= requestIdFrom(this.#request.headers['x-request-id'], this.#options.makeRequestId);
    return this.#requestId;
  }

  /** The CORS headers of its response. */
  get cors(): readonly string[] {
    return this.#options.cors.headers(this.#request.headers.origin);
  }

  /** Runs the request's work as part of its trace. */
  run(work: () => void): void {
    if (this.#span === undefined) work();
    else this.#span.run(work);
  }

  /** Ends the request: its answer was handed to the system, or its client has left. */
  end({ headersSent, statusCode, destroyed, writableFinished }: ServerResponse): void {
    const status = headersSent ? statusCode : clientLeft;
    const durationMs = Math.round((performance.now() - this.#began) * 100) / 100;
    const isAborted = destroyed && !writableFinished;
    // Work for a client that has left is being aborted, and then records its progress.
    if (isAborted) setImmediate(() => this.#record({ status, durationMs, aborted: true }));
    else this.#record({ status, durationMs });
  }

  #record(end: Pick<RequestLine, 'status' | 'durationMs' | 'aborted'>): void {
    const { url = '' } = this.#request;
    const { logRequest, requestMeter } = this.#options;
    requestMeter.request(
      this.logFields.isStream ? 'live' : (this.api ?? this.place.api),
      this.logFields.clientErrorAnswer?.status ?? end.status,
      end.durationMs / 1000,
    );
    const { endpoint, called = [], error: code } = this.logFields;
    // Several endpoints of a GraphQL request share its first error.
    if (code !== undefined) for (const each of new Set(endpoint?.split(','))) requestMeter.failed(each, code);
    for (const { name, number, isDeprecated } of called)
      if (isDeprecated) requestMeter.deprecated(name, number);
    this.#recordCalls(end);
    if (logRequest === undefined && this.#span === undefined) return;
    const { error, clientErrorAnswer, isSummarised, ...others } = this.logFields;
    const { isStream: _, called: __, records: ___, recordLate: ____, ...shown } = others;
    const { caller: _____, changes: ______, ...logFields } = shown;
    const { method, headers } = this.#request;
    const line = {
      requestId: this.requestId,
      traceparent: this.#span?.traceparent ?? traceparentFrom(headers.traceparent),
      method,
      path: shownPath(splitRequestTarget(url).path),
      ...logFields,
      // An error that no client received is not logged.
      ...(error !== undefined && end.status !== clientLeft && { error }),
      ...end,
      ...(clientErrorAnswer && { ...clientErrorAnswer, aborted: undefined }),
    };
    if (isSummarised !== true) logRequest?.(line);
    this.#span?.end(line);
  }

  #recordCalls({
    status,
    durationMs,
    aborted,
  }: Pick<RequestLine, 'status' | 'durationMs' | 'aborted'>): void {
    const { records } = this.#options;
    if (records === undefined) return;
    const { caller, called = [], error: code, bytes, isStream, changes = [] } = this.logFields;
    const { requestId } = this;
    const api = isStream ? 'live' : (this.api ?? this.place.api);
    const calls =
      this.logFields.records ?? (code === undefined || api === 'other' ? [] : refused(called, code));
    const client = this.#request.headers['user-agent'];
    const request = { requestId, api, client, status, durationMs };
    if (caller !== undefined) {
      if (calls.length > 0) records.calls.record(calls, caller, { ...request, bytes });
      if (aborted) this.logFields.recordLate = (record) => records.calls.record([record], caller, request);
    }
    if (status < 400) for (const change of changes) records.changes.record(change, { caller, requestId });
  }
}

/** The records of calls that were refused before they were authorised. */
function refused(called: readonly CalledVersion[], code: string): readonly CallRecord[] {
  const failure = { rows: 0, engineMs: 0, code };
  if (called.length === 0) return [failure];
  return called.map(({ name, number }) => ({ ...failure, endpoint: name, version: number }));
}
