import { z } from 'zod';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { ApiError, type ErrorProto } from '../api/api-error.ts';
import type { BigQueryApi } from '../api/big-query-api.ts';
import { isRetryable } from '../api/retryable.ts';
import { errorFields } from '../jobs/error-fields.ts';
import { querySentence } from '../jobs/query-sentence.ts';
import { Tries } from '../jobs/tries.ts';
import { type TableNames, withSourceNames } from '../text/table-names.ts';
import { type Destination, destinations } from './destination.ts';
import { insertFailure } from './insert-failure.ts';
import { type InsertRequest, insertRequests, requestBody } from './insert-request.ts';
import type { InsertOptions, RejectedRow, RowInserter, RowToInsert } from './row-inserter.ts';
import { RowsRejected } from './rows-rejected.ts';

const errorProto = z.object({
  reason: z.string().default(''),
  message: z.string().default(''),
  location: z.string().optional(),
});

const okStatus = 200;

/** The response to `tabledata.insertAll`. It has status 200 even if no row was added. */
const insertAnswer = z.object({
  kind: z.literal('bigquery#tableDataInsertAllResponse'),
  insertErrors: z
    .array(z.object({ index: z.int().nonnegative(), errors: z.array(errorProto).default([]) }))
    .default([]),
});

interface InserterOptions {
  readonly api: BigQueryApi;
  readonly names: TableNames;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum bytes of rows on their way to BigQuery, of all calls. */
  readonly maxBytesInFlight?: number;
}

const attemptTimeoutMs = 20_000;
/** Several of the largest requests. */
const defaultMaxBytesInFlight = 64 * 1024 * 1024;

/** Streams rows into BigQuery's tables with `tabledata.insertAll`. */
export class BigQueryInserter implements RowInserter {
  readonly #options: InserterOptions;
  readonly #closed = new AbortController();
  #bytesInFlight = 0;

  constructor(options: InserterOptions) {
    this.#options = options;
  }

  async insert(
    source: Pick<Source, 'name' | 'wildcard'>,
    rows: readonly RowToInsert[],
    options: InsertOptions,
  ): Promise<readonly RejectedRow[]> {
    const { partial } = options;
    const { requests, rejected } = insertRequests(rows, destinations(source, this.#options.names));
    // Before anything is sent: then no row is added.
    if (rejected.length > 0 && !partial) throw new RowsRejected(source.name, rejected, 0);
    const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
    this.#enter(bytes);
    try {
      const others = await this.#sendAll(source.name, requests, options);
      return [...rejected, ...others].sort((a, b) => a.index - b.index);
    } finally {
      this.#bytesInFlight -= bytes;
    }
  }

  /** Ends running calls. Their rows may have been added. */
  close(): void {
    this.#closed.abort(
      new GatewayError('BACKEND_UNAVAILABLE', 'The gateway is stopping.', { retryAfterSeconds: 1 }),
    );
  }

  /** A single call may exceed the limit: its rows are in memory anyway. */
  #enter(bytes: number): void {
    const { maxBytesInFlight = defaultMaxBytesInFlight } = this.#options;
    if (this.#bytesInFlight > 0 && this.#bytesInFlight + bytes > maxBytesInFlight) {
      const message = 'Too many rows are on their way to BigQuery.';
      throw new GatewayError('OVERLOADED', message, { retryAfterSeconds: 1 });
    }
    this.#bytesInFlight += bytes;
  }

  /** Sends requests one after the other, so that as few rows as possible are added before one fails. */
  async #sendAll(
    source: string,
    requests: readonly InsertRequest[],
    { partial, signal: callers, timeoutMs }: InsertOptions,
  ): Promise<readonly RejectedRow[]> {
    const { clock, log } = this.#options;
    const deadline = clock.elapsed() + timeoutMs;
    const late = new AbortController();
    const timer = clock.after(timeoutMs, () => late.abort(unconfirmed()));
    const signal = AbortSignal.any([callers, late.signal, this.#closed.signal]);
    const rejected: RejectedRow[] = [];
    let added = 0;
    try {
      for (const request of requests) {
        const errors = await this.#send(request, partial, { signal, deadline });
        const reasons = [...errors].map(([at, error]) => rejectedRow(source, request, at, error));
        if (reasons.length > 0 && !partial) throw new RowsRejected(source, reasons, added);
        rejected.push(...reasons);
        added += request.rows.length - reasons.length;
      }
      return rejected;
    } catch (error) {
      signal.throwIfAborted();
      const failure = insertFailure(error, source);
      if (failure === undefined) throw error;
      log.warn('BigQuery did not add rows', { source, code: failure.code, ...errorFields(error) });
      throw failure;
    } finally {
      timer.cancel();
    }
  }

  async #send(
    request: InsertRequest,
    partial: boolean,
    limits: { readonly signal: AbortSignal; readonly deadline: number },
  ): Promise<ReadonlyMap<number, ErrorProto>> {
    const { api } = this.#options;
    const path = insertPath(request.destination);
    const body = requestBody(request, partial);
    const tries = new Tries({ api }, limits);
    for (;;) {
      const answer = await api.call({
        method: 'POST',
        path,
        body,
        answer: insertAnswer,
        attemptTimeoutMs,
        ...limits,
      });
      try {
        return rejectedRows(answer);
      } catch (error) {
        if (!(error instanceof ApiError && isRetryable(error) && (await tries.another(error)))) throw error;
      }
    }
  }
}

function insertPath({ table: { project, dataset, table } }: Destination): string {
  const [inProject, inDataset, name] = [project, dataset, table].map(encodeURIComponent);
  return `/projects/${inProject}/datasets/${inDataset}/tables/${name}/insertAll`;
}

function rejectedRow(
  source: string,
  { destination, indexes }: InsertRequest,
  at: number,
  { location, message }: ErrorProto,
): RejectedRow {
  const index = indexes[at] ?? at;
  const sentence = querySentence(message || 'not accepted', {
    place: () => undefined,
    withSources: (text) => withSourceNames(text, [[source, destination.table]]),
  });
  return { index, reason: location === undefined ? sentence : `${location}: ${sentence}` };
}

function unconfirmed(): GatewayError {
  const message = 'BigQuery did not confirm the rows in time. Send them again.';
  return new GatewayError('BACKEND_UNAVAILABLE', message, { retryAfterSeconds: 1 });
}

/**
 * The rows that BigQuery rejects because of their values, by their position in the request: an error for each. A row
 * with the reason `stopped` is not rejected: it was not added because of others.
 *
 * @throws ApiError if BigQuery could not add rows for another reason, or does not say for which. Then it may have added
 *   others.
 */
function rejectedRows({ insertErrors }: z.infer<typeof insertAnswer>): ReadonlyMap<number, ErrorProto> {
  const rejected = new Map<number, ErrorProto>();
  let other: ErrorProto | undefined;
  for (const { index, errors } of insertErrors) {
    for (const { location, ...error } of errors) {
      const proto = location === undefined || location === '' ? error : { ...error, location };
      if (proto.reason === 'invalid') rejected.set(index, rejected.get(index) ?? proto);
      else if (proto.reason !== 'stopped') other ??= proto;
    }
  }
  if (other !== undefined) throw new ApiError(okStatus, other);
  if (insertErrors.length > 0 && rejected.size === 0) {
    throw new ApiError(okStatus, {
      reason: 'backendError',
      message: 'rows were not added, without a reason',
    });
  }
  return rejected;
}
