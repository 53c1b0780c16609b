import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { Clock } from '../../base/clock/clock.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log/log.ts';
import { authoriseRows } from '../../calls/access/authorise.ts';
import { type Account, accountOf } from '../../calls/access/caller/account.ts';
import { onlySeeker, Permits } from '../../calls/executor/flights/permits.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { ClientGone, startDeadline } from '../http/request/deadline.ts';
import { nameIgnored } from '../http/response/name-ignored.ts';
import { percentDecode } from '../http/request/percent-decoding.ts';
import { booleanParameter, unknownParameters } from '../http/request/query-parameters.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../http/response/answer.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';
import type { Admission } from '../limits/admission.ts';
import { startUploadDeadline } from './upload-deadline.ts';

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
  readonly admission: Admission;
  readonly receiveRows: ReceiveRows;
  readonly log: Log;
  readonly clock: Clock;
  /** Maximum duration of an upload, in milliseconds. */
  readonly uploadTimeoutMs: number;
  readonly uploadMinBytesPerSecond: number;
  /** How often the pace is checked, in milliseconds of waiting for the client. */
  readonly uploadWindowMs?: number;
}

/** Uploads that are read at the same time. Their rows are copied one upload at a time, so more of them only take processors. */
const uploadPermits = { permits: 8, maxWaiting: 1000, leavesFree: true };

/** The options of a handler whose uploads take permits. */
interface PermittedUploads extends RowsHandlerOptions {
  readonly permits: Permits;
}

const route = /^\/api\/sources\/([^/]+)\/rows$/;

/**
 * `POST /api/sources/<source>/rows[?skip_bad_rows=true][&line_numbers=true]`: imports NDJSON of any length. Uploads
 * have a deadline of their own, because large ones take long. They also end when the client leaves or is too slow. A few are
 * read at a time, of one key as many at most as are free: bodies of further ones are not read yet.
 */
export function rowsHandler(handlerOptions: RowsHandlerOptions): RouteHandler {
  const options = { ...handlerOptions, permits: new Permits(uploadPermits, handlerOptions.clock) };
  return routeHandler(['/api/sources/{source}/rows'], (context) => {
    const segment = route.exec(context.path)?.[1];
    return segment === undefined ? undefined : answerRows(context, segment, options);
  });
}

async function answerRows(
  context: RequestContext,
  segment: string,
  options: PermittedUploads,
): Promise<void> {
  using deadline = startDeadline(context.response);
  try {
    sendAnswer(context, await receive(context, segment, deadline.signal, options));
  } catch (thrown) {
    if (thrown instanceof ClientGone || deadline.signal.aborted) return;
    const error = disclose(thrown, context, options.log);
    sendAnswer(context, errorAnswer(error));
  }
}

async function receive(
  context: RequestContext,
  segment: string,
  left: AbortSignal,
  options: PermittedUploads,
): Promise<Answer> {
  const { admission, receiveRows, clock, uploadWindowMs = 30_000 } = options;
  const { method, headers } = context.request;
  const caller = await admission.admit(context, 'write');
  authoriseRows(caller);
  if (method !== 'POST') throw methodNotAllowed('POST');
  const source = percentDecode(segment);
  if (source === undefined) {
    throw new GatewayError('BAD_USER_INPUT', 'The percent-encoding of the path is not valid UTF-8.');
  }
  refuseOtherFormats(headers['content-type']);
  const contentEncoding = headers['content-encoding'];
  const query = new URLSearchParams(context.query);
  nameIgnored(context.response, unknownParameters(query, ['skip_bad_rows', 'line_numbers']));
  const skipBadRows = booleanParameter(query, 'skip_bad_rows');
  const lineNumbers = booleanParameter(query, 'line_numbers');
  using deadline = startUploadDeadline(options.uploadTimeoutMs, clock);
  const signal = AbortSignal.any([left, deadline.signal]);
  const account = accountOf(caller);
  using _permit = await options.permits.take(onlySeeker({ account }, signal));
  const pace = { bytesPerSecond: options.uploadMinBytesPerSecond, windowMs: uploadWindowMs };
  const rows = bodyStream(context, { pace: caller.mayPause ? undefined : pace, clock, signal });
  const receiving = {
    ...(contentEncoding !== undefined && { contentEncoding }),
    skipBadRows,
    lineNumbers,
    account,
    signal,
  };
  // After the deadline, only the outcome shows whether the rows were already being committed.
  const received = await raceWithAbort(() => receiveRows(source, rows, receiving), left);
  return jsonAnswer(200, JSON.stringify(received));
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
