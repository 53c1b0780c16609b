import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import { type Account, accountOf } from '../../calls/access/caller/account.ts';
import { onlySeeker, Permits } from '../../calls/executor/flights/permits.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { booleanParameter, unknownParameters } from '../http/request/query-parameters.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { nameIgnored } from '../http/response/name-ignored.ts';
import type { KeyedHandler } from '../http/route.ts';

/** The outcome of an upload. */
export interface RowsReceived {
  readonly imported: number;
  readonly duplicates: number;
  /** The first rejected rows. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejectedCount: number;
}

/** Imports NDJSON rows into a source: all of them, or none if it rejects. It rejects soon after the signal is aborted. */
export type ReceiveRows = (
  source: string,
  body: AsyncIterable<Uint8Array>,
  options: {
    contentEncoding?: string;
    skipBadRows: boolean;
    lineNumbers: boolean;
    account: Account;
    signal: AbortSignal;
  },
) => Promise<RowsReceived>;

interface RowsHandlerOptions {
  readonly receiveRows: ReceiveRows;
  readonly clock: Clock;
  /** Maximum duration of an upload, in milliseconds. */
  readonly uploadTimeoutMs: number;
  readonly uploadMinBytesPerSecond: number;
  /** How often the pace is checked, in milliseconds of waiting for the client. */
  readonly uploadWindowMs?: number;
}

/** Uploads that are read at the same time. Their rows are copied one upload at a time, so more of them only take processors. */
const uploadPermits = { permits: 8, maxWaiting: 1000, leavesFree: true };

/**
 * `POST /api/sources/<source>/rows[?skip_bad_rows=true][&line_numbers=true]`: imports NDJSON of any length. Uploads
 * have a deadline of their own, because large ones take long. They also end when the client leaves or is too slow. A few are
 * read at a time, of one key as many at most as are free: bodies of further ones are not read yet.
 */
export function rowsHandler({
  receiveRows,
  clock,
  uploadTimeoutMs,
  uploadMinBytesPerSecond,
  uploadWindowMs = 30_000,
}: RowsHandlerOptions): KeyedHandler {
  const permits = new Permits(uploadPermits, clock);
  return async ({ context, caller, segment, deadline: { signal: left } }) => {
    const { headers } = context.request;
    refuseOtherFormats(headers['content-type']);
    const contentEncoding = headers['content-encoding'];
    const query = new URLSearchParams(context.query);
    nameIgnored(context.response, unknownParameters(query, ['skip_bad_rows', 'line_numbers']));
    const skipBadRows = booleanParameter(query, 'skip_bad_rows');
    const lineNumbers = booleanParameter(query, 'line_numbers');
    using upload = startUploadDeadline(uploadTimeoutMs, clock);
    const signal = AbortSignal.any([left, upload.signal]);
    const account = accountOf(caller);
    using _permit = await permits.take(onlySeeker({ account }, signal));
    const pace = { bytesPerSecond: uploadMinBytesPerSecond, windowMs: uploadWindowMs };
    const rows = bodyStream(context, { pace: caller.mayPause ? undefined : pace, clock, signal });
    const receiving = {
      ...(contentEncoding !== undefined && { contentEncoding }),
      skipBadRows,
      lineNumbers,
      account,
      signal,
    };
    // After the deadline, only the outcome shows whether the rows were already being committed.
    const received = await raceWithAbort(() => receiveRows(segment, rows, receiving), left);
    return jsonAnswer(200, JSON.stringify(received));
  };
}

/** What to do with a body that isn't NDJSON, by its type. Clients give NDJSON all kinds of types. */
const otherFormats = [
  [/\bparquet$/, 'Import Parquet files with "gateway import".'],
  [/\b(?:x-)?gzip$/, 'For compressed rows, send "Content-Encoding: gzip" in place of this type.'],
] as const;

/** An empty body would count as no rows, and another one's first line as not JSON. */
function refuseOtherFormats(contentType = ''): void {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const other = otherFormats.find(([pattern]) => pattern.test(type));
  if (other !== undefined) {
    const message = `Rows are uploaded as NDJSON, not as ${JSON.stringify(type)}. ${other[1]}`;
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

/** The deadline of an upload. Disposing of it stops the timer. */
interface UploadDeadline extends Disposable {
  /** Aborted with `QUERY_TIMEOUT` at the deadline. */
  readonly signal: AbortSignal;
}

/** Starts the deadline of an upload. */
function startUploadDeadline(milliseconds: number, clock: Pick<Clock, 'after'>): UploadDeadline {
  const controller = new AbortController();
  const timer = clock.after(milliseconds, () => {
    const message = `The upload took longer than ${milliseconds} ms. Nothing was imported.`;
    controller.abort(new GatewayError('QUERY_TIMEOUT', message));
  });
  return { signal: controller.signal, [Symbol.dispose]: () => timer.cancel() };
}
