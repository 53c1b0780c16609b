import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import { requireScope } from '../../calls/access/authentication/access.ts';
import { accountOf, writableBy } from '../../calls/access/caller/caller.ts';
import { Permits } from '../../calls/executor/flights/permits.ts';
import { onlySeeker } from '../../calls/executor/flights/seekers.ts';
import { rowsReplaced } from '../../calls/records/row-changes.ts';
import type { WritableSources } from '../../definitions/sources/writable-sources.ts';
import { isTimeZone, zoneExpected } from '../../rows/ingest/encode/time-zone.ts';
import type { ReceiveOptions, RowsReceived } from '../../rows/ingest/receive.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { booleanParameter, unknownParameters } from '../http/request/query-parameters.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { nameIgnored } from '../http/response/response-head.ts';
import type { KeyedHandler } from '../http/route.ts';

/** Imports NDJSON rows into a source that the sender may write to. It rejects soon after the signal is aborted. */
export type ReceiveRows = (
  source: string,
  body: AsyncIterable<Uint8Array>,
  options: ReceiveOptions & { readonly writable: WritableSources },
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

/** Uploads that are read at the same time. Rows are copied one upload at a time, so more would only use processor time. */
const uploadPermits = { permits: 8, maxWaiting: 1000, leavesFree: true };

/**
 * `POST /api/sources/<source>/rows[?skip_bad_rows=true][&line_numbers=true][&replace=true][&zone=<zone>]`: imports NDJSON of any length. Uploads
 * have a deadline of their own, because large ones take long. They also end when the client leaves or is too slow. A
 * few are read at a time, and one key may have as many as it leaves free. Other bodies wait unread.
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
    nameIgnored(
      context.response,
      unknownParameters(query, ['skip_bad_rows', 'line_numbers', 'replace', 'zone']),
    );
    const skipBadRows = booleanParameter(query, 'skip_bad_rows');
    const lineNumbers = booleanParameter(query, 'line_numbers');
    const isReplacing = booleanParameter(query, 'replace');
    // It removes rows, as a deletion does.
    if (isReplacing) requireScope(caller, 'admin');
    const zone = zoneParameter(query.get('zone'));
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
      isReplacing,
      ...(zone !== undefined && { zone }),
      writable: writableBy(caller),
      account,
      signal,
    };
    // After the deadline, only the outcome shows whether the rows were already being committed.
    const received = await raceWithAbort(() => receiveRows(segment, rows, receiving), left);
    if (isReplacing) context.logFields.changes = [rowsReplaced(segment, received)];
    return jsonAnswer(200, JSON.stringify(received));
  };
}

/** @throws GatewayError BAD_USER_INPUT */
function zoneParameter(zone: string | null): string | undefined {
  if (zone === null || isTimeZone(zone)) return zone ?? undefined;
  throw new GatewayError('BAD_USER_INPUT', `Parameter "zone": ${zoneExpected}.`);
}

/**
 * Advice for bodies that aren't NDJSON, by media type. Other types are accepted, because clients send NDJSON with many
 * of them.
 */
const otherFormats = [
  [/\bparquet$/, 'Import Parquet files with "gateway import".'],
  [/\b(?:x-)?gzip$/, 'For compressed rows, send "Content-Encoding: gzip" in place of this type.'],
] as const;

/** Refuses bodies that aren't NDJSON. An empty one would count as no rows, and another would fail at its first line. */
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
